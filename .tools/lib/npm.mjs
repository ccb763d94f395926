const windows = process.platform === "win32";

/** How npm is started: on Windows it is a batch file, which only a shell can run. */
export const npm = { file: "npm", options: windows ? { shell: true } : {} };
