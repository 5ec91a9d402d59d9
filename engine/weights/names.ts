/** Rewrites the name of a tensor in a file into ours: the first pattern that matches, or the name as it is. */
export type Names = readonly (readonly [RegExp, string])[]

/** Our name for a tensor of a file. */
export function ourName(name: string, rules: Names = []): string {
  for (const [pattern, replacement] of rules) if (pattern.test(name)) return name.replace(pattern, replacement)
  return name
}

/** The names of repositories that differ from timm's and so from ours. */
export const names = {
  /** facebookresearch/deit: ResMLP. */
  deit: [
    [/^patch_embed\./, 'stem.'],
    [/^(blocks\.\d+)\.attn\./, '$1.linear_tokens.'],
    [/^(blocks\.\d+)\.mlp\./, '$1.mlp_channels.'],
    [/^(blocks\.\d+)\.gamma_(\d)$/, '$1.ls$2'],
  ],
  /** lucidrains/g-mlp-pytorch: gMLP for text, whose layers are wrapped for token shift, and gMLPVision. */
  lucidrains: [
    [/^to_embed\./, 'embed.'],
    [/^to_patch_embed\.1\./, 'stem.proj.'],
    [/^to_logits\.0\./, 'norm.'],
    [/^to_logits\.[12]\./, 'head.'],
    [/^layers\.(\d+)\.fn\.norm\./, 'blocks.$1.norm.'],
    [/^layers\.(\d+)\.(?:fn\.)+proj_in\.0\./, 'blocks.$1.mlp_channels.fc1.'],
    [/^layers\.(\d+)\.(?:fn\.)+proj_out\./, 'blocks.$1.mlp_channels.fc2.'],
    [/^layers\.(\d+)\.(?:fn\.)+sgu\.norm\./, 'blocks.$1.mlp_channels.gate.norm.'],
    [/^layers\.(\d+)\.(?:fn\.)+sgu\.(weight|bias)$/, 'blocks.$1.mlp_channels.gate.proj.$2'],
    [/^layers\.(\d+)\.(?:fn\.)+attn\.to_(qkv|out)\./, 'blocks.$1.tiny_attn.$2.'],
  ],
  /** MenghaoGuo/EANet: the external attention unit. */
  eanet: [[/^linu\./, 'blocks.0.']],
} as const satisfies Record<string, Names>
