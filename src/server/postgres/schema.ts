/**
 * The tables and functions in PostgreSQL. Each operation is one call of a function, so it is one round trip and one transaction. The function
 * first sets the tenant; row-level security then hides all other rows, also from a statement that forgets its tenant.
 */

/** Names a schema. Only lower-case letters, digits and `_`, so that it needs no quoting. */
export const schemaPattern = /^[a-z_][a-z0-9_]{0,40}$/

/** Raise it with every change of the schema. It is the comment of the schema. */
export const schemaVersion = 'scrubjay 2'

/** Safe to repeat, but it locks tables that other nodes write to, so it is run only if the version differs. */
export function schemaSql(schema: string): string {
  return `
CREATE SCHEMA IF NOT EXISTS ${schema};
CREATE TABLE IF NOT EXISTS ${schema}.stores (
  tenant text COLLATE "C" PRIMARY KEY, revision bigint NOT NULL, settings text NOT NULL);
CREATE TABLE IF NOT EXISTS ${schema}.blocks (
  tenant text COLLATE "C" NOT NULL, kind smallint NOT NULL, id bytea NOT NULL, revision bigint NOT NULL, frames bytea,
  PRIMARY KEY (tenant, kind, id));
ALTER TABLE ${schema}.stores ADD COLUMN IF NOT EXISTS awaited_at timestamptz;
CREATE INDEX IF NOT EXISTS blocks_revision ON ${schema}.blocks (tenant, revision);
ALTER TABLE ${schema}.blocks ALTER COLUMN frames SET STORAGE EXTERNAL;
${['stores', 'blocks'].map((table) => isolated(`${schema}.${table}`)).join('')}
CREATE OR REPLACE FUNCTION ${schema}.head(of_tenant text, OUT stored bigint, OUT options text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('scrubjay.tenant', of_tenant, true);
  SELECT s.revision, s.settings INTO stored, options FROM ${schema}.stores s WHERE s.tenant = of_tenant;
END $$;
CREATE OR REPLACE FUNCTION ${schema}.pull(of_tenant text, after bigint, kinds smallint[], ids bytea[])
RETURNS TABLE (stored bigint, options text, kind smallint, id bytea, frames bytea) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('scrubjay.tenant', of_tenant, true);
  RETURN QUERY
    SELECT s.revision, s.settings, b.kind, b.id, b.frames FROM ${schema}.stores s LEFT JOIN (
      SELECT c.kind, c.id, c.frames FROM ${schema}.blocks c WHERE c.tenant = of_tenant AND c.revision > after
      UNION
      SELECT c.kind, c.id, c.frames FROM unnest(kinds, ids) AS k (kind, id)
        JOIN ${schema}.blocks c ON c.tenant = of_tenant AND c.kind = k.kind AND c.id = k.id
    ) b ON true WHERE s.tenant = of_tenant;
END $$;
DROP FUNCTION IF EXISTS ${schema}.ship;
CREATE FUNCTION ${schema}.ship(
  of_tenant text, from_revision bigint, to_revision bigint, options text, kinds smallint[], ids bytea[], contents bytea[])
RETURNS text LANGUAGE plpgsql AS $$
DECLARE is_awaited boolean;
BEGIN
  PERFORM set_config('scrubjay.tenant', of_tenant, true);
  SELECT s.awaited_at > clock_timestamp() - interval '1 second' INTO is_awaited
    FROM ${schema}.stores s WHERE s.tenant = of_tenant FOR UPDATE;
  IF from_revision = 0 THEN
    INSERT INTO ${schema}.stores (tenant, revision, settings) VALUES (of_tenant, to_revision, options) ON CONFLICT DO NOTHING;
  ELSE
    UPDATE ${schema}.stores s SET revision = to_revision, settings = options, awaited_at = NULL
      WHERE s.tenant = of_tenant AND s.revision = from_revision;
  END IF;
  IF NOT FOUND THEN
    UPDATE ${schema}.stores s SET awaited_at = clock_timestamp() WHERE s.tenant = of_tenant;
    RETURN 'lost';
  END IF;
  INSERT INTO ${schema}.blocks (tenant, kind, id, revision, frames)
    SELECT of_tenant, k.kind, k.id, to_revision, k.frames FROM unnest(kinds, ids, contents) AS k (kind, id, frames)
    WHERE k.frames IS NOT NULL OR k.kind <> 4
    ON CONFLICT (tenant, kind, id) DO UPDATE SET revision = excluded.revision, frames = excluded.frames;
  DELETE FROM ${schema}.blocks b USING unnest(kinds, ids, contents) AS k (kind, id, frames)
    WHERE k.kind = 4 AND k.frames IS NULL AND b.tenant = of_tenant AND b.kind = 4 AND b.id = k.id;
  RETURN CASE WHEN is_awaited THEN 'awaited' ELSE 'written' END;
END $$;
CREATE OR REPLACE FUNCTION ${schema}.remove(of_tenant text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('scrubjay.tenant', of_tenant, true);
  DELETE FROM ${schema}.blocks b WHERE b.tenant = of_tenant;
  DELETE FROM ${schema}.stores s WHERE s.tenant = of_tenant;
END $$;
COMMENT ON SCHEMA ${schema} IS '${schemaVersion}';`
}

/** Forced, because the owner of a table is exempt otherwise. */
function isolated(table: string): string {
  return `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS tenant ON ${table};
CREATE POLICY tenant ON ${table} USING (tenant = current_setting('scrubjay.tenant', true));`
}
