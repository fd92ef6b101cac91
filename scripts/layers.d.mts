export const CORE_LINES: readonly (readonly string[])[];
export const PLATFORM_ROOMS: readonly string[];
export const APP_LINES: readonly (readonly string[])[];
export const COMPONENT_LINES: readonly (readonly string[])[];
