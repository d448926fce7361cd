SELECT id, -bm25(documents, 0, 3, 1) AS score, title, category
FROM documents
WHERE documents MATCH {{query|any}}
ORDER BY score DESC, id
LIMIT {{k}}
