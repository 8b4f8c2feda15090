export interface Line {
  sku: string;
  cents: number;
  count: number;
  grams: number;
}

export interface Cart {
  lines: Line[];
  country: string;
}

export function subtotal(cart: Cart): number {
  return cart.lines.reduce((sum, line) => sum + line.cents * line.count, 0);
}

export function weight(cart: Cart): number {
  return cart.lines.reduce((sum, line) => sum + line.grams * line.count, 0);
}
