/** @file An action that the user can choose from a menu. */
export interface MenuItem {
  readonly name: string;
  /** Additional information, such as the format of a file. */
  readonly note?: string;
  readonly onchoose: () => void;
}
