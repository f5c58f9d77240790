import { formatCents, type Cents } from './money.ts';

export interface Line {
    readonly text: string;
    readonly price: Cents;
}

export function invoiceTotal(lines: readonly Line[]): Cents {
    return lines.reduce((sum, line) => sum + line.price, 0);
}

export function isEmpty(lines: readonly Line[]): boolean {
    return lines.length === 0;
}

export function printInvoice(lines: readonly Line[]): string {
    return [...lines.map((line) => `${line.text}: ${formatCents(line.price)}`), `Total: ${formatCents(invoiceTotal(lines))}`].join('\n');
}
