CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    status TEXT NOT NULL,
    customer TEXT NOT NULL,
    cents INTEGER NOT NULL
);
CREATE INDEX orders_by_status ON orders (status, id);
