/** The runtime of the sandbox, bundled into one file by scripts/python-runtime.ts. */
declare module 'virtual:python-runtime' {
  const address: string;
  export default address;
}
