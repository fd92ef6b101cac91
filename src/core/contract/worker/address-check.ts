/** @file The result of checking an address that the user typed. */
import type { Fault } from '../fault';

export type AddressCheck =
  | {
      readonly ok: true;
      /** The normalized address: starts with http or https, and has no trailing slash and no query. */
      readonly baseUrl: string;
      /** A warning or a tip about the address, for example that it is not encrypted. `null`: none. */
      readonly hint: string | null;
    }
  | { readonly ok: false; readonly fault: Fault };
