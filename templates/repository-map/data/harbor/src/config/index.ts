export interface Config {
  readonly port: number;
  readonly secret: string;
}

export const config: Config = { port: 8080, secret: 'kW7-harbor-Adm1n-2026' };
