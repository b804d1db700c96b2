/** What a Pix code says. */
export interface PixCode {
  /** Minor units of BRL. */
  amount: number;
  /** Where the payer's bank would fetch the charge, without its scheme. */
  location: string;
}

/**
 * The copy-and-paste text of a dynamic Pix charge: the EMV code that banks' apps read (BR Code, Manual do BR Code of
 * the Banco Central do Brasil), its CRC at the end.
 */
export function pixCode({ amount, location }: PixCode): string {
  const account = field("00", "br.gov.bcb.pix") + field("25", location);
  const text = [
    field("00", "01"),
    field("01", "12"), // to be paid once
    field("26", account),
    field("52", "0000"),
    field("53", "986"), // BRL
    field("54", (amount / 100).toFixed(2)),
    field("58", "BR"),
    field("59", "Umavez Sandbox"),
    field("60", "SAO PAULO"),
    field("62", field("05", "***")),
    "6304",
  ].join("");
  return text + crc16(text).toString(16).toUpperCase().padStart(4, "0");
}

function field(id: string, value: string): string {
  return `${id}${String(value.length).padStart(2, "0")}${value}`;
}

/** CRC-16/CCITT-FALSE, as EMV's codes have it. */
function crc16(text: string): number {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, "ascii")) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
  }
  return crc;
}
