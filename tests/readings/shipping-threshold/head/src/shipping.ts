import { type Cart, subtotal, weight } from "./cart.ts";
import type { ShopSettings } from "./settings.ts";

/** Where the owner has set nothing. */
const DEFAULT_FREE_FROM = 5000;
const HEAVY_GRAMS = 20_000;
const HEAVY_CENTS = 1500;

/** The value of the goods, in cents, from which on the parcel is free at home. */
export function freeFrom(settings: ShopSettings): number {
  return settings.freeFromCents || DEFAULT_FREE_FROM;
}

/** Whether the customer pays for the parcel as such; a heavy one has its surcharge anyway. */
export function isFree(cart: Cart, settings: ShopSettings): boolean {
  return cart.country === settings.homeCountry && subtotal(cart) >= freeFrom(settings);
}

/** What the parcel costs the customer, in cents. */
export function shippingFor(cart: Cart, settings: ShopSettings): number {
  const heavy = weight(cart) > HEAVY_GRAMS ? HEAVY_CENTS : 0;
  return isFree(cart, settings) ? heavy : settings.shippingCents + heavy;
}
