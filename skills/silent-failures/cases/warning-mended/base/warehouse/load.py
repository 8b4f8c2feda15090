"""Loads a day of sales into the warehouse."""


def load(day, source, warehouse):
    rows = list(source.rows(day))
    announced = source.count(day)
    if len(rows) < announced:
        print(f"WARNING: expected {announced} rows for {day} but got {len(rows)}")
    warehouse.replace(day, rows)
