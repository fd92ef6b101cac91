/** @file Addresses of pages that a file, a manifest or a server names. A link from any of them leads to the web or nowhere. */

/** Longer than any address that a browser opens. */
const LONGEST = 2000;

/** Whether a text is the address of a web page: http or https, a host, and no name or password in it. */
export function isWebAddress(text: string): boolean {
  if (text.length > LONGEST || !URL.canParse(text)) return false;
  const { protocol, host, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && host !== '' && username === '' && password === '';
}
