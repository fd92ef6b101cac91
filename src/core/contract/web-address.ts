/** @file Validates web addresses from files, manifests and servers. Only valid addresses are shown as links. */

const LONGEST = 2000;

/** Whether a text is the address of a web page: http or https, with a host, and without a user name or password. */
export function isWebAddress(text: string): boolean {
  if (text.length > LONGEST || !URL.canParse(text)) return false;
  const { protocol, host, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && host !== '' && username === '' && password === '';
}
