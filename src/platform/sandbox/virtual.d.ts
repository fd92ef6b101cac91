/** What runs inside the sandbox, each bundled into one file by scripts/python-runtime.ts. */
declare module 'virtual:python-runtime' {
  const address: string;
  export default address;
}
declare module 'virtual:sandbox-guard' {
  const source: string;
  export default source;
}
