export const WAYS_OUT: readonly RegExp[];
export const ASKING: Readonly<Record<string, string>>;
export const BEHIND: Readonly<Record<string, readonly string[]>>;
export const OPEN: Readonly<Record<string, string>>;
