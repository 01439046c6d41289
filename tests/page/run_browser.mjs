// Runs the browser tests, or says which part for them is missing and exits with 77.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const browser = process.env.FIRTH_BROWSER || "/usr/bin/chromium";
const missing = [];
if (!existsSync(browser)) missing.push(`${browser} is not there`);
for (const name of ["playwright-core", "axe-core", "html-validate"]) {
  if (!existsSync(join(here, "node_modules", name))) missing.push(`${name} is not installed`);
}
if (missing.length > 0) {
  console.log(`skipped: ${missing.join(", ")}; ./setup.sh browser installs all of it`);
  process.exit(77);
}
process.exit(spawnSync(process.execPath, ["--test", join(here, "browser.test.mjs")], { stdio: "inherit" }).status ?? 1);
