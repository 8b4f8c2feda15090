import { type Cart, subtotal } from "./cart.ts";
import type { ShopSettings } from "./settings.ts";
import { shippingFor } from "./shipping.ts";

export interface Total {
  goods: number;
  shipping: number;
  all: number;
}

/** What is charged. */
export function total(cart: Cart, settings: ShopSettings): Total {
  const goods = subtotal(cart);
  const shipping = shippingFor(cart, settings);
  return { goods, shipping, all: goods + shipping };
}
