/** Every file keeps the page cross-origin isolated, which shared memory and precise timers need. */
const everyFile = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

/** The page, and every worker but the kernel: no eval, nothing from elsewhere. */
const pagePolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'", // Monaco and Plotly write style elements
  'img-src': "'self' data: blob:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
  'worker-src': "'self'",
  'frame-ancestors': "'none'",
  'form-action': "'none'",
  'base-uri': "'none'",
}

/** The kernel runs the cells of a notebook, which is foreign code: it may evaluate and compute, and reach nothing. */
const kernelPolicy = {
  'default-src': "'none'",
  'script-src': "'self' 'unsafe-eval' 'wasm-unsafe-eval'",
  'connect-src': "'none'",
  'worker-src': "'self'",
}

/**
 * Response headers for a path of the page's folder, e.g. `/assets/kernel-1a2b.js`; the same in server and desktop.
 * `socket` is the WebSocket origin of the page, for browsers in which 'self' does not cover it.
 */
export function headersFor(path: string, socket?: string): Record<string, string> {
  return {
    ...everyFile,
    'content-security-policy': policyText(path.startsWith('/assets/kernel-') ? kernelPolicy : policyWith(socket)),
    // names in assets/ hold a hash of the content
    'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
}

function policyWith(socket: string | undefined): Record<string, string> {
  return socket ? { ...pagePolicy, 'connect-src': `'self' ${socket}` } : pagePolicy
}

function policyText(policy: Record<string, string>): string {
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')
}
