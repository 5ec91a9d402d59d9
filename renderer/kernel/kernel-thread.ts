// One more thread of the `simd` backend, started by the kernel. Named so that it is served with the kernel's headers.
import { serveThread, type ThreadStart } from '../../engine/backends/simd/threads.ts'

addEventListener(
  'message',
  ({ data }: MessageEvent<ThreadStart>) => {
    postMessage('ready')
    void serveThread(data).then(() => close())
  },
  { once: true },
)
