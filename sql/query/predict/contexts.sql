-- Every context in order. out: context, hypothesis, form, path, name, second, value, dup, nodup.
SELECT context, hypothesis, form, path, name, second, value, dup, nodup FROM twindex_url_hypothesis ORDER BY context
