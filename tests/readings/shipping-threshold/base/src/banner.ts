import { type Cart, subtotal } from "./cart.ts";
import type { ShopSettings } from "./settings.ts";

const FREE_FROM = 5000;

function money(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** The line above the cart: what is missing until the parcel is free. Empty abroad. */
export function banner(cart: Cart, settings: ShopSettings): string {
  if (cart.country !== settings.homeCountry) {
    return "";
  }
  const missing = FREE_FROM - subtotal(cart);
  return missing > 0 ? `${money(missing)} more, and the parcel is free` : "The parcel is free";
}
