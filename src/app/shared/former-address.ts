/** @file Where a browser may have stored the data of this page under its former address. `podium open` opened 127.0.0.1 before. */

/** The page at the former address that hands a copy of its data over. */
export const HAND_OVER = 'hand-over';

/** @returns the former origin, or `null` if this page is not at `localhost`, or if its server has no page that hands data over */
export async function findFormerOrigin({
  hostname,
  protocol,
  port,
}: Pick<Location, 'hostname' | 'protocol' | 'port'> = location): Promise<string | null> {
  if (hostname !== 'localhost') return null;
  try {
    if (!(await fetch(HAND_OVER, { method: 'HEAD' })).ok) return null;
  } catch {
    // The page is offline, or its server has ended.
    return null;
  }
  return `${protocol}//127.0.0.1${port === '' ? '' : `:${port}`}`;
}
