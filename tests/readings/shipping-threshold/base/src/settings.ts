/** What the owner of a shop may set. Amounts are in cents. */
export interface ShopSettings {
  name: string;
  homeCountry: string;
  shippingCents: number;
}

export function parseSettings(json: string): ShopSettings {
  const read = JSON.parse(json);
  return {
    name: String(read.name),
    homeCountry: String(read.homeCountry),
    shippingCents: Number(read.shippingCents),
  };
}
