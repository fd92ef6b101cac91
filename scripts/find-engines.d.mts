/** A browser that is not based on Chromium. */
export type OtherEngine =
  | {
      readonly name: 'Firefox';
      /** The path of each program. `undefined`: the program is not installed. */
      readonly programs: { readonly firefox: string | undefined };
      /** Names of the Debian packages that contain the programs. */
      readonly packages: readonly string[];
    }
  | {
      readonly name: 'WebKitGTK';
      readonly programs: { readonly WebKitWebDriver: string | undefined; readonly Xvfb: string | undefined };
      readonly packages: readonly string[];
    };

/** Looks for the programs of each browser, and returns all browsers, installed or not. */
export function findEngines(): readonly OtherEngine[];
