/** What the page knows of its browser. */
export interface BrowserFacts {
  userAgent: string
  /** Whether the page came over https or from this machine. */
  isSecure: boolean
}

/** What turns WebGPU on, by a part of what a browser calls itself; the first that fits. */
const SWITCHES: [browser: RegExp, advice: string][] = [
  [/Firefox\//, 'set dom.webgpu.enabled to true in about:config'],
  [
    /Linux.*Chrome\//,
    'turn on chrome://flags/#enable-unsafe-webgpu and chrome://flags/#enable-vulkan, or start the browser with --enable-unsafe-webgpu --enable-features=Vulkan',
  ],
  [/Chrome\//, 'turn on chrome://flags/#enable-unsafe-webgpu, and see chrome://gpu for why it is off'],
  [/Safari\//, 'turn on WebGPU in Settings, Feature Flags, or take Safari 26'],
]

/** In a sentence, what a browser needs that offers no graphics card through WebGPU. */
export function missingWebGpu({ userAgent, isSecure }: BrowserFacts): string {
  const none = 'This browser offers no graphics card through WebGPU'
  if (!isSecure) return `${none}, which is on pages over https or from localhost alone: open this one at 127.0.0.1.`
  const [, advice = 'take a current Chrome, Edge, Firefox or Safari'] =
    SWITCHES.find(([browser]) => browser.test(userAgent)) ?? []
  return `${none}; if this machine has one, ${advice}.`
}
