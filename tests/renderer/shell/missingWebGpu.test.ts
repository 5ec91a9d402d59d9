import { expect, it } from 'vitest'
import { missingWebGpu } from '../../../renderer/shell/missingWebGpu.ts'

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36'

it.each([
  ['Chrome on Linux', `Mozilla/5.0 (X11; Linux x86_64) ${CHROME}`, '--enable-unsafe-webgpu --enable-features=Vulkan'],
  ['Chrome on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME}`, 'chrome://gpu'],
  ['Edge', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/148.0.0.0`, 'chrome://flags/#enable-unsafe-webgpu'],
  ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'about:config'],
  [
    'Safari',
    'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari 26',
  ],
  ['another one', 'curl/8', 'take a current Chrome, Edge, Firefox or Safari'],
])('says what %s needs', (_, userAgent, what) => {
  const text = missingWebGpu({ userAgent, isSecure: true })
  expect(text).toContain(what)
  expect(text).toMatch(/^This browser offers no graphics card .*\.$/)
})

it('says first that a page from elsewhere gets none', () => {
  expect(missingWebGpu({ userAgent: CHROME, isSecure: false })).toMatch(
    /over https or from localhost alone: .* 127\.0\.0\.1\.$/,
  )
})
