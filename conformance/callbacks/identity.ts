/** Who a receiver is. */
export interface Identity {
  /** PEM texts. */
  cert: string;
  key: string;
}
