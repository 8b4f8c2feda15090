import { type Cart, subtotal } from "./cart.ts";
import type { ShopSettings } from "./settings.ts";
import { isFree, shippingFor } from "./shipping.ts";

export interface Total {
  goods: number;
  shipping: number;
  /** The parcel as such is free; `shipping` may still hold the surcharge of a heavy one. */
  freeParcel: boolean;
  all: number;
}

/** What is charged. */
export function total(cart: Cart, settings: ShopSettings): Total {
  const goods = subtotal(cart);
  const shipping = shippingFor(cart, settings);
  return { goods, shipping, freeParcel: isFree(cart, settings), all: goods + shipping };
}
