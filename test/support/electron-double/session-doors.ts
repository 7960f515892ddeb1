/** What the app shuts of a session: a double has nothing to shut. */
export const SESSION_DOORS = {
  setPermissionRequestHandler: () => undefined,
  setPermissionCheckHandler: () => undefined,
  setDevicePermissionHandler: () => undefined,
  setDisplayMediaRequestHandler: () => undefined,
  setUSBProtectedClassesHandler: () => undefined,
  webRequest: { onBeforeRequest: () => undefined },
};
