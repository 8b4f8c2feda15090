module example.invalid/sums

go 1.22
