/** Where the workgroups of a shader begin: `main`, with `group` and `thread`, of one lane (header.ts). */
export function entry(threads: number, main: string): string {
  return `@compute @workgroup_size(${threads})
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) thread: u32) {
  let group = inLane(workgroup);
${main}
}
`
}
