import { query } from './query.ts';

export function find(boat: string): { readonly length: number } {
  const [row] = query("SELECT * FROM boats WHERE name = '" + boat + "'");
  return { length: Number(row?.length ?? 0) };
}

export function save(boat: string, length: number): void {
  query(`INSERT INTO boats VALUES ('${boat}', ${length})`);
}

export function remove(boat: string): void {
  query(`DELETE FROM boats WHERE name = '${boat}'`);
}
