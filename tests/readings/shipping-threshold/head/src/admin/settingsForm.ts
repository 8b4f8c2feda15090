import type { ShopSettings } from "../settings.ts";

/** What the form posts: texts. */
export type Posted = Record<string, string>;

function cents(typed: string): number {
  const amount = Number(typed.replace(",", "."));
  if (!Number.isFinite(amount) || amount < 0) {
    throw new RangeError(`no amount: ${typed}`);
  }
  return Math.round(amount * 100);
}

/** An empty field sets nothing. */
function optionalCents(typed: string | undefined): number | null {
  return typed === undefined || typed.trim() === "" ? null : cents(typed);
}

export function fromForm(posted: Posted): ShopSettings {
  return {
    name: posted.name.trim(),
    homeCountry: posted.homeCountry,
    shippingCents: cents(posted.shipping),
    freeFromCents: optionalCents(posted.freeFrom),
  };
}
