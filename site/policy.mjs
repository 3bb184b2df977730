// The content security policy of each page of the site, written into the page when it is built.
//
//   PO1  A page loads only files of its own site. Its inline scripts, which VitePress writes, run because the policy names each by its hash.
//   PO2  Text becomes elements or code only through Vue, whose policy for that is named (Trusted Types); where an engine does not know
//        these words, it skips them.
//   PO3  The page in glass/ has a policy of its own (web/index.html).

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const kInlineScript = /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g;
const kFirst = '<meta charset="utf-8">'; // what comes before is not under the policy

/** The pages lie in one folder. */
export function writePolicies(folder) {
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.html'))) {
    const path = join(folder, name);
    const html = readFileSync(path, 'utf8');
    if (!html.includes(kFirst)) throw new Error(`${name} does not begin with ${kFirst}`);
    const meta = `<meta http-equiv="Content-Security-Policy" content="${policyOf(html)}">`;
    writeFileSync(
      path,
      html.replace(kFirst, () => `${kFirst}${meta}`),
    );
  }
}

function policyOf(html) {
  const hashes = [...html.matchAll(kInlineScript)].map(
    ([, text]) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
  return [
    "default-src 'self'",
    ["script-src 'self'", ...new Set(hashes)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types vue',
  ].join('; ');
}
