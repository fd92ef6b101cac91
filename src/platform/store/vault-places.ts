/** @file Where the vault's records are in their object store. */

/** The header's key in the database. */
export const VAULT_HEADER = 'header';
/** Each API key is stored under this prefix followed by the id of its worker. */
export const KEY_PREFIX = 'key:';
