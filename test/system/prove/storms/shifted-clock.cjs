"use strict";
// Preloaded into a process (NODE_OPTIONS=--require): its wall clock is SHIFT_CLOCK_MS off. The monotonic one is not.
const shift = Number(process.env.SHIFT_CLOCK_MS);
const RealDate = Date;

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shift);
    else super(...given);
  }

  static now() {
    return RealDate.now() + shift;
  }
};
console.log(`clock shifted by ${shift} ms`);
