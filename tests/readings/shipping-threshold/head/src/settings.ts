/** What the owner of a shop may set. Amounts are in cents. */
export interface ShopSettings {
  name: string;
  homeCountry: string;
  shippingCents: number;
  /** From this value of the goods on the parcel is free at home; 0: always, null: nothing was set. */
  freeFromCents: number | null;
}

export function parseSettings(json: string): ShopSettings {
  const read = JSON.parse(json);
  return {
    name: String(read.name),
    homeCountry: String(read.homeCountry),
    shippingCents: Number(read.shippingCents),
    // Settings that were stored before there was this field have none.
    freeFromCents: read.freeFromCents == null ? null : Number(read.freeFromCents),
  };
}
