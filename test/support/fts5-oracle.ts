/** Uses real SQLite as the oracle of text functions: the tokens an FTS5 tokenizer makes of texts, word by word. */

import init from '@sqlite.org/sqlite-wasm'

/** Opens an oracle for a tokenizer (`unicode61 remove_diacritics 2`); the words of each text come back in its order. */
export async function openFts5Oracle(tokenizer: string): Promise<(texts: readonly string[]) => string[][]> {
  const sqlite = await init()
  const database = new sqlite.oo1.DB(':memory:')
  database.exec(`CREATE VIRTUAL TABLE texts USING fts5(text, content='', tokenize='${tokenizer}');
    CREATE VIRTUAL TABLE words USING fts5vocab(texts, 'instance')`)
  return (texts) => {
    database.exec("BEGIN; INSERT INTO texts(texts) VALUES ('delete-all')")
    const insert = database.prepare('INSERT INTO texts(rowid, text) VALUES (?, ?)')
    texts.forEach((text, row) => insert.bind([row, text]).stepReset())
    insert.finalize()
    const found: string[][] = texts.map(() => [])
    database.exec({
      sql: 'COMMIT; SELECT doc, offset, term FROM words',
      callback: (row: unknown) => {
        const [text, place, word] = row as [number, number, string]
        found[text]![place] = word
      },
    })
    return found
  }
}
