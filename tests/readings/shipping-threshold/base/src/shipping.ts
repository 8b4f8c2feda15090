import { type Cart, subtotal, weight } from "./cart.ts";
import type { ShopSettings } from "./settings.ts";

const FREE_FROM = 5000;
const HEAVY_GRAMS = 20_000;
const HEAVY_CENTS = 1500;

/** What the parcel costs the customer, in cents. */
export function shippingFor(cart: Cart, settings: ShopSettings): number {
  const heavy = weight(cart) > HEAVY_GRAMS ? HEAVY_CENTS : 0;
  if (cart.country === settings.homeCountry && subtotal(cart) >= FREE_FROM) {
    return heavy;
  }
  return settings.shippingCents + heavy;
}
