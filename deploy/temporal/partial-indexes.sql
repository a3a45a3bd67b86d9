-- Takes executions without a search attribute out of that attribute's index. Safe to repeat.
--
-- Temporal's list of executions has indexes for 59 search attributes, and an execution has an entry in each, also for
-- attributes that it lacks. An execution of Everpost has four of its own, and those of its worker's build. A query
-- compares an attribute with a value, so it finds as much in the smaller index. It compares only
-- TemporalNamespaceDivision with null.
-- Source: https://github.com/temporalio/temporal/issues/10145
DO LANGUAGE 'plpgsql' $$
DECLARE
  r RECORD;
BEGIN
  FOR r IN
    SELECT ix.indexrelid::regclass AS name, pg_get_indexdef(ix.indexrelid) AS definition, a.attname AS attribute
    FROM pg_index ix
    JOIN pg_attribute a ON a.attrelid = ix.indrelid AND a.attnum = ix.indkey[1]
    WHERE ix.indrelid = 'executions_visibility'::regclass
      AND ix.indpred IS NULL
      AND a.attgenerated = 's'
      AND a.attname <> 'temporalnamespacedivision'
  LOOP
    EXECUTE format('DROP INDEX %s', r.name);
    EXECUTE format('%s WHERE %I IS NOT NULL', r.definition, r.attribute);
  END LOOP;
END $$;
