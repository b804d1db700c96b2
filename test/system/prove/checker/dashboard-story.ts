import { Story } from "./story";

/** A payment that somebody changes at the provider's dashboard. */
export class DashboardStory extends Story {
  /** Takes what is held, or a part, which releases the rest. */
  captureThere(minor: number): this {
    this.authorized = this.payment.captured = minor;
    for (const charge of this.charges) charge.status = "captured";
    this.move("CAPTURED", "payment.captured", this.createId, { minor });
    return this.deed("capture", minor);
  }

  /** Releases what is held: what was taken stays. */
  cancelThere(): this {
    const isTaken = this.payment.captured > 0;
    this.authorized = this.payment.captured;
    for (const charge of this.charges) charge.status = isTaken ? "captured" : "canceled";
    if (isTaken) this.move(this.byAmounts(), "payment.captured", this.createId);
    else this.move("CANCELED", "payment.canceled", this.createId);
    return this.deed("cancel", 0);
  }
}
