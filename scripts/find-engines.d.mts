/** A browser whose engine is not Chromium's. */
export type OtherEngine =
  | {
      readonly name: 'Firefox';
      /** Path of each program. `undefined`: not found. */
      readonly programs: { readonly firefox: string | undefined };
      /** Names of the Debian packages that contain the programs. */
      readonly packages: readonly string[];
    }
  | {
      readonly name: 'WebKitGTK';
      readonly programs: { readonly WebKitWebDriver: string | undefined; readonly Xvfb: string | undefined };
      readonly packages: readonly string[];
    };

export function findEngines(): readonly OtherEngine[];
