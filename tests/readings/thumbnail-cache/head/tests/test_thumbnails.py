from gallery.thumbnails import Thumbnails


def counted():
    made = []

    def scaled(picture, width):
        made.append(width)
        return b"small " + picture

    return made, scaled


def test_a_picture_is_made_once(tmp_path):
    made, scaled = counted()
    thumbnails = Thumbnails(scaled, tmp_path / "new")
    assert thumbnails.of(b"p", 160) == thumbnails.of(b"p", 160) == b"small p"
    assert made == [160]
    assert [path.suffix for path in (tmp_path / "new").iterdir()] == [".png"]


def test_each_width_is_its_own(tmp_path):
    made, scaled = counted()
    thumbnails = Thumbnails(scaled, tmp_path)
    thumbnails.of(b"p", 160)
    thumbnails.of(b"p", 320)
    assert made == [160, 320]


def test_what_cannot_be_kept_is_made_again_and_counted(tmp_path):
    made, scaled = counted()
    (tmp_path / "file").write_text("in the way")
    thumbnails = Thumbnails(scaled, tmp_path / "file" / "below")
    assert thumbnails.of(b"p", 160) == thumbnails.of(b"p", 160) == b"small p"
    assert made == [160, 160]
    assert thumbnails.unkept == 2
