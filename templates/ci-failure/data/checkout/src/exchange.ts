/** Fetches the euro price of a currency from the rate service. */
export async function exchangeRate(currency: string, base = 'http://127.0.0.1:4711'): Promise<number> {
  const response = await fetch(`${base}/rates/${currency}`);
  const { rate } = (await response.json()) as { rate: number };
  return rate;
}
