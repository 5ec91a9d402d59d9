/**
 * The adapter in a WebGL renderer string: `NVIDIA GeForce RTX 4070` of `ANGLE (NVIDIA, NVIDIA GeForce RTX 4070
 * Direct3D11 vs_5_0 ps_5_0, D3D11)`, `llvmpipe` of `ANGLE (Mesa, Vulkan 1.3.0 (llvmpipe), Mesa)`.
 */
export function adapterName(renderer: string): string {
  const middle = /^ANGLE \([^,]*, (.*), [^,]*\)$/.exec(renderer)?.[1] ?? renderer
  const named = /^(?:Vulkan|OpenGL|Metal)[^(]*\((.*)\)$/.exec(middle)?.[1] ?? middle
  const bare = named.replace(/\s*(?:Direct3D|OpenGL|Vulkan).*$/, '').replace(/\s*\(0x[0-9a-f]+\)/gi, '')
  return bare.replace(/^ANGLE Metal Renderer: /, '').trim() || renderer
}
