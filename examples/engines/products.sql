SELECT product_id AS id, ts_rank(to_tsvector('english', title), q) AS score, title
FROM products, websearch_to_tsquery('english', {{query}}) AS q
WHERE to_tsvector('english', title) @@ q
ORDER BY score DESC, product_id
LIMIT {{k}}
