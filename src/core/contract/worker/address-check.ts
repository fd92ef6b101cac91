/** @file The result of checking an address that the user typed. */
import type { Fault } from '../fault';

export type AddressCheck =
  | {
      readonly ok: true;
      /** The normalized address: with http or https, without a trailing slash and without a query. */
      readonly baseUrl: string;
      /** What to check before using the address. `null` if there is no hint. */
      readonly hint: string | null;
    }
  | { readonly ok: false; readonly fault: Fault };
