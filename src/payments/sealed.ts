/** What binds each encrypted column to its row, so that a value moved to another row does not open. */
export const intentContext = (merchantId: string, operationId: string) =>
  `operations/${merchantId}/${operationId}/intent`;

/** See `intentContext`. */
export const requestContext = (merchantId: string, operationId: string) =>
  `attempts/${merchantId}/${operationId}/request`;

/** See `intentContext`. */
export const payerContext = (merchantId: string, paymentId: string) =>
  `payments/${merchantId}/${paymentId}/payer`;
