"""Makes the cases of this folder: python3 make.py, with PyTorch 1.13 and NumPy. The tests do not need it.

Modules as timm and Hugging Face write them, with random values and small, odd sizes. A case is a folder with the weights,
the configuration that would lie beside them, and a picture (bytes) or ids with the logits of PyTorch.
"""
import json
import os
import struct
import zlib

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

HERE = os.path.dirname(os.path.abspath(__file__))
ACTS = {
    'gelu': F.gelu,
    'gelu_tanh': lambda x: F.gelu(x, approximate='tanh'),
    'gelu_new': lambda x: F.gelu(x, approximate='tanh'),
    'quick_gelu': lambda x: x * torch.sigmoid(1.702 * x),
    'relu': F.relu,
    'silu': F.silu,
}


def module(**parts):
    m = nn.Module()
    for name, part in parts.items():
        m.add_module(name, part)
    return m


class Attention(nn.Module):
    def __init__(self, dim, heads, bias=True):
        super().__init__()
        self.heads = heads
        self.qkv, self.proj = nn.Linear(dim, 3 * dim, bias=bias), nn.Linear(dim, dim)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        a = (q @ k.transpose(-2, -1) * (d // self.heads) ** -0.5).softmax(-1)
        return self.proj((a @ v).transpose(1, 2).reshape(b, n, d))


class Mlp(nn.Module):
    def __init__(self, dim, hidden, act, out=None):
        super().__init__()
        self.fc1, self.fc2, self.act = nn.Linear(dim, hidden), nn.Linear(hidden, out or dim), ACTS[act]

    def forward(self, x):
        return self.fc2(self.act(self.fc1(x)))


class Patches(nn.Module):
    def __init__(self, dim, patch, channels=3):
        super().__init__()
        self.proj = nn.Conv2d(channels, dim, patch, patch)

    def forward(self, x):
        return self.proj(x).flatten(2).transpose(1, 2)


class VitBlock(nn.Module):
    def __init__(self, dim, heads, ffn, act, eps, bias, scale):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim, eps), nn.LayerNorm(dim, eps)
        self.attn, self.mlp = Attention(dim, heads, bias), Mlp(dim, ffn, act)
        if scale:
            self.ls1, self.ls2 = module(), module()
            self.ls1.gamma, self.ls2.gamma = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.ones(dim))

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Vit(nn.Module):
    """timm's VisionTransformer."""

    def __init__(self, size=(16, 16), patch=4, dim=24, depth=1, heads=12, ffn=30, classes=7, act='gelu', eps=1e-6,
                 bias=True, cls=True, pool='token', embed_class=True, fc_norm=None, scale=False, channels=3):
        super().__init__()
        tokens = size[0] // patch * (size[1] // patch)
        self.cls, self.pool, self.embed_class = cls, pool, embed_class
        self.patch_embed = Patches(dim, patch, channels)
        if cls:
            self.cls_token = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos_embed = nn.Parameter(torch.zeros(1, tokens + (cls and embed_class), dim))
        self.blocks = nn.ModuleList(VitBlock(dim, heads, ffn, act, eps, bias, scale) for _ in range(depth))
        after = pool == 'avg' if fc_norm is None else fc_norm
        self.norm = nn.Identity() if after else nn.LayerNorm(dim, eps)
        self.fc_norm = nn.LayerNorm(dim, eps) if after else nn.Identity()
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        x = self.patch_embed(x)
        if not self.embed_class:
            x = x + self.pos_embed
        if self.cls:
            x = torch.cat([self.cls_token.expand(len(x), -1, -1), x], 1)
        if self.embed_class:
            x = x + self.pos_embed
        for block in self.blocks:
            x = block(x)
        x = self.norm(x)
        x = x[:, 0] if self.pool == 'token' else x[:, int(self.cls):].mean(1)
        return self.head(self.fc_norm(x))


class Stack(nn.Module):
    """timm's MlpMixer."""

    def __init__(self, block, tokens, dim, depth, patch, classes, norm, channels=3):
        super().__init__()
        self.stem = Patches(dim, patch, channels)
        self.blocks = nn.ModuleList(block(dim, tokens) for _ in range(depth))
        self.norm, self.head = norm(dim), nn.Linear(dim, classes)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x).mean(1))


class MixerBlock(nn.Module):
    def __init__(self, dim, tokens, hidden, ffn, act, eps):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim, eps), nn.LayerNorm(dim, eps)
        self.mlp_tokens, self.mlp_channels = Mlp(tokens, hidden, act), Mlp(dim, ffn, act)

    def forward(self, x):
        x = x + self.mlp_tokens(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.mlp_channels(self.norm2(x))


class Gate(nn.Module):
    def __init__(self, width, tokens, eps):
        super().__init__()
        self.norm, self.proj = nn.LayerNorm(width, eps), nn.Linear(tokens, tokens)

    def forward(self, x):
        u, v = x.chunk(2, -1)
        return u * self.proj(self.norm(v).transpose(-1, -2)).transpose(-1, -2)


class GmlpBlock(nn.Module):
    def __init__(self, dim, tokens, ffn, act, eps, gate_eps):
        super().__init__()
        self.norm = nn.LayerNorm(dim, eps)
        self.mlp_channels = module(fc1=nn.Linear(dim, ffn), gate=Gate(ffn // 2, tokens, gate_eps),
                                   fc2=nn.Linear(ffn // 2, dim))
        self.act = ACTS[act]

    def forward(self, x):
        m = self.mlp_channels
        return x + m.fc2(m.gate(self.act(m.fc1(self.norm(x)))))


class VisionGmlp(nn.Module):
    """gMLPVision of lucidrains/g-mlp-pytorch; a layer is wrapped twice, and its gate has an axis for heads."""

    def __init__(self, size=16, patch=4, dim=12, depth=2, ffn=48, classes=6):
        super().__init__()
        tokens, self.patch = (size // patch) ** 2, patch
        self.to_patch_embed = nn.Sequential(nn.Identity(), nn.Linear(3 * patch * patch, dim))

        def layer():
            gate = module(norm=nn.LayerNorm(ffn // 2))
            gate.weight, gate.bias = nn.Parameter(torch.zeros(1, tokens, tokens)), nn.Parameter(torch.ones(1, tokens))
            block = module(proj_in=nn.Sequential(nn.Linear(dim, ffn), nn.GELU()), sgu=gate, proj_out=nn.Linear(ffn // 2, dim))
            return module(fn=module(fn=block, norm=nn.LayerNorm(dim)))

        self.layers = nn.ModuleList(layer() for _ in range(depth))
        self.to_logits = nn.Sequential(nn.LayerNorm(dim), nn.Identity(), nn.Linear(dim, classes))

    def forward(self, x):
        b, c, h, w = x.shape
        p = self.patch
        x = x.reshape(b, c, h // p, p, w // p, p).permute(0, 2, 4, 1, 3, 5).reshape(b, -1, c * p * p)
        x = self.to_patch_embed(x)
        for layer in self.layers:
            block = layer.fn.fn
            u, v = block.proj_in(layer.fn.norm(x)).chunk(2, -1)
            v = block.sgu.weight[0] @ block.sgu.norm(v) + block.sgu.bias[0][None, :, None]
            x = x + block.proj_out(v * u)
        return self.to_logits[2](self.to_logits[0](x).mean(1))


class Affine(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.alpha, self.beta = nn.Parameter(torch.ones(1, 1, dim)), nn.Parameter(torch.zeros(1, 1, dim))

    def forward(self, x):
        return self.beta + self.alpha * x


class ResBlock(nn.Module):
    def __init__(self, dim, tokens, ffn, act):
        super().__init__()
        self.norm1, self.norm2 = Affine(dim), Affine(dim)
        self.linear_tokens, self.mlp_channels = nn.Linear(tokens, tokens), Mlp(dim, ffn, act)
        self.ls1, self.ls2 = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.ones(dim))

    def forward(self, x):
        x = x + self.ls1 * self.linear_tokens(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.ls2 * self.mlp_channels(self.norm2(x))


class HfLayer(nn.Module):
    """A layer of Hugging Face's ViT, or with `post` of its BERT."""

    def __init__(self, dim, heads, ffn, act, eps, post, bias=True):
        super().__init__()
        self.heads, self.post, self.act = heads, post, ACTS[act]
        own = module(query=nn.Linear(dim, dim, bias=bias), key=nn.Linear(dim, dim, bias=bias),
                     value=nn.Linear(dim, dim, bias=bias))
        norm = lambda: nn.LayerNorm(dim, eps)
        out = module(dense=nn.Linear(dim, dim), **({'LayerNorm': norm()} if post else {}))
        self.attention = module(**{'self' if post else 'attention': own, 'output': out})
        self.intermediate = module(dense=nn.Linear(dim, ffn))
        self.output = module(dense=nn.Linear(ffn, dim), **({'LayerNorm': norm()} if post else {}))
        if not post:
            self.layernorm_before, self.layernorm_after = norm(), norm()

    def attend(self, x):
        own = getattr(self.attention, 'self' if self.post else 'attention')
        b, n, d = x.shape
        q, k, v = (f(x).reshape(b, n, self.heads, -1).transpose(1, 2) for f in (own.query, own.key, own.value))
        a = (q @ k.transpose(-1, -2) / (d // self.heads) ** 0.5).softmax(-1)
        return self.attention.output.dense((a @ v).transpose(1, 2).reshape(b, n, d))

    def forward(self, x):
        feed = lambda y: self.output.dense(self.act(self.intermediate.dense(y)))
        if self.post:
            x = self.attention.output.LayerNorm(x + self.attend(x))
            return self.output.LayerNorm(x + feed(x))
        x = x + self.attend(self.layernorm_before(x))
        return x + feed(self.layernorm_after(x))


class HfVit(nn.Module):
    def __init__(self, size=16, patch=4, dim=24, depth=1, heads=6, ffn=30, classes=5, act='gelu', eps=1e-12, bias=True):
        super().__init__()
        embeddings = module(patch_embeddings=module(projection=nn.Conv2d(3, dim, patch, patch)))
        embeddings.cls_token = nn.Parameter(torch.zeros(1, 1, dim))
        embeddings.position_embeddings = nn.Parameter(torch.zeros(1, (size // patch) ** 2 + 1, dim))
        layers = nn.ModuleList(HfLayer(dim, heads, ffn, act, eps, False, bias) for _ in range(depth))
        self.vit = module(embeddings=embeddings, encoder=module(layer=layers), layernorm=nn.LayerNorm(dim, eps))
        self.classifier = nn.Linear(dim, classes)

    def forward(self, x):
        e = self.vit.embeddings
        x = e.patch_embeddings.projection(x).flatten(2).transpose(1, 2)
        x = torch.cat([e.cls_token.expand(len(x), -1, -1), x], 1) + e.position_embeddings
        for layer in self.vit.encoder.layer:
            x = layer(x)
        return self.classifier(self.vit.layernorm(x)[:, 0])


class HfBert(nn.Module):
    def __init__(self, words=30, dim=24, depth=1, heads=3, ffn=30, classes=4, act='gelu', eps=1e-12, positions=12):
        super().__init__()
        embeddings = module(word_embeddings=nn.Embedding(words, dim), position_embeddings=nn.Embedding(positions, dim),
                            token_type_embeddings=nn.Embedding(2, dim), LayerNorm=nn.LayerNorm(dim, eps))
        layers = nn.ModuleList(HfLayer(dim, heads, ffn, act, eps, True) for _ in range(depth))
        self.bert = module(embeddings=embeddings, encoder=module(layer=layers),
                           pooler=module(dense=nn.Linear(dim, dim)))
        self.classifier = nn.Linear(dim, classes)

    def forward(self, ids):
        e = self.bert.embeddings
        x = e.word_embeddings(ids) + e.position_embeddings(torch.arange(ids.shape[1])) + e.token_type_embeddings(
            torch.zeros_like(ids))
        x = e.LayerNorm(x)
        for layer in self.bert.encoder.layer:
            x = layer(x)
        return self.classifier(torch.tanh(self.bert.pooler.dense(x[:, 0])))


class ConvBn(nn.Module):
    def __init__(self, inputs, units, kernel, stride=1, padding=0, groups=1):
        super().__init__()
        self.conv = nn.Conv2d(inputs, units, kernel, stride, padding, groups=groups, bias=False)
        self.bn = nn.BatchNorm2d(units)

    def forward(self, x):
        return self.bn(self.conv(x))


class RepMlpBlock(nn.Module):
    """The equations of RepMLPNet, with the names of DingXiaoH/RepMLP."""

    def __init__(self, dim, high, wide, sets, kernels, hidden, folded):
        super().__init__()
        self.sides, self.sets, self.kernels = (high, wide), sets, () if folded else kernels
        n = high * wide * sets
        self.gp = module(fc1=nn.Conv2d(dim, hidden, 1), fc2=nn.Conv2d(hidden, dim, 1))
        self.fc3 = nn.Conv2d(n, n, 1, groups=sets, bias=folded)
        self.fc3_bn = nn.Identity() if folded else nn.BatchNorm2d(sets)
        for k in self.kernels:
            self.add_module(f'repconv{k}', ConvBn(sets, sets, k, padding=k // 2, groups=sets))

    def forward(self, x):
        (b, c, rows, columns), (high, wide) = x.shape, self.sides
        gate = torch.sigmoid(self.gp.fc2(F.relu(self.gp.fc1(x.mean((2, 3), keepdim=True)))))
        parts = x.reshape(b, c, rows // high, high, columns // wide, wide).permute(0, 2, 4, 1, 3, 5)
        images = parts.reshape(-1, self.sets, high, wide)
        y = self.fc3_bn(self.fc3(images.reshape(-1, self.sets * high * wide, 1, 1)).reshape(images.shape))
        for k in self.kernels:
            y = y + getattr(self, f'repconv{k}')(images)
        return y.reshape(parts.shape).permute(0, 3, 1, 4, 2, 5).reshape(x.shape) * gate


class RepMlpUnit(nn.Module):
    def __init__(self, dim, *block, ffn=3):
        super().__init__()
        self.repmlp_block = RepMlpBlock(dim, *block)
        self.ffn_block = module(ffn_fc1=ConvBn(dim, ffn * dim, 1), ffn_fc2=ConvBn(ffn * dim, dim, 1))
        self.prebn1, self.prebn2 = nn.BatchNorm2d(dim), nn.BatchNorm2d(dim)

    def forward(self, x):
        x = x + self.repmlp_block(self.prebn1(x))
        return x + self.ffn_block.ffn_fc2(F.gelu(self.ffn_block.ffn_fc1(self.prebn2(x))))


class RepMlpNet(nn.Module):
    def __init__(self, dims, depths, sides, sets, kernels=(1, 3), reduce=4, patch=4, classes=5, folded=False):
        super().__init__()
        self.conv_embedding = ConvBn(3, dims[0], patch, patch)
        self.stages = nn.ModuleList(
            nn.ModuleList(RepMlpUnit(d, *side, s, kernels, d // reduce, folded) for _ in range(depth))
            for d, depth, side, s in zip(dims, depths, sides, sets))
        self.embeds = nn.ModuleList(ConvBn(a, b, 2, 2) for a, b in zip(dims, dims[1:]))
        self.head_norm, self.head = nn.BatchNorm2d(dims[-1]), nn.Linear(dims[-1], classes)

    def forward(self, x):
        x = F.relu(self.conv_embedding(x))
        for i, stage in enumerate(self.stages):
            x = F.relu(self.embeds[i - 1](x)) if i > 0 else x
            for unit in stage:
                x = unit(x)
        return self.head(self.head_norm(x).mean((2, 3)))


DTYPES = {'F32': torch.float32, 'F16': torch.float16, 'BF16': torch.bfloat16, 'F64': torch.float64}


def save(path, tensors, dtype='F32', metadata=None):
    header, data = ({'__metadata__': metadata} if metadata else {}), b''
    for name, tensor in tensors.items():
        kind = 'I32' if tensor.dtype == torch.int32 else dtype
        own = tensor.contiguous() if kind == 'I32' else tensor.to(DTYPES[dtype]).contiguous()
        raw = (own.view(torch.int16) if kind == 'BF16' else own).numpy().tobytes()
        header[name] = {'dtype': kind, 'shape': list(own.shape), 'data_offsets': [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b' ' * (-len(text) % 8)
    with open(path, 'wb') as f:
        f.write(struct.pack('<Q', len(text)) + text + data)


def case(name, model, config=None, mean=(0.5,), std=(0.5,), size=(16, 16), dtype='F32', rename=lambda n: n, scale=1 / 255,
         preprocessor=None, channels=3, bgr=False, more=None):
    torch.manual_seed(zlib.crc32(name.encode()))
    for key, tensor in model.state_dict().items():
        if tensor.ndim == 0:
            continue
        spread = 1 if tensor.ndim == 1 else 0.7 / max(1, tensor[0].numel()) ** 0.5 if 'embed' not in key else 1
        tensor.copy_((torch.randn(tensor.shape) * 0.5 * spread + (key.endswith('norm.weight') or '.norm' in key and key.endswith('weight'))))
        if key.endswith('running_var'):
            tensor.abs_().add_(0.5)
        tensor.copy_(tensor.to(DTYPES[dtype]))
    model = model.double().eval()
    for key, tensor in model.state_dict().items():
        tensor.copy_(tensor.to(DTYPES[dtype]))
    if isinstance(model, HfBert):
        picture = torch.randint(5, 30, (2, 12), dtype=torch.int32)
        logits = model(picture.long())
    else:
        picture = torch.randint(0, 256, (*size, channels), dtype=torch.int32)
        x = picture.double().flip(-1) if bgr else picture.double()
        x = (x * scale - torch.tensor(mean).double()) / torch.tensor(std).double()
        logits = model(x.permute(2, 0, 1)[None])
    folder = os.path.join(HERE, name)
    os.makedirs(folder, exist_ok=True)
    weights = {rename(key): value for key, value in model.state_dict().items()}
    save(os.path.join(folder, 'model.safetensors'), {**weights, **(more or {})}, dtype)
    save(os.path.join(folder, 'expected.safetensors'), {'input': picture, 'logits': logits.float()})
    for file, content in (('config.json', config), ('preprocessor_config.json', preprocessor)):
        if content is not None:
            with open(os.path.join(folder, file), 'w') as f:
                json.dump(content, f, indent=1)
                f.write('\n')


def timm(architecture, classes, mean=(0.5,) * 3, std=(0.5,) * 3, size=(16, 16), args=None, channels=3, **more):
    cfg = {'input_size': [channels, *size], 'mean': list(mean), 'std': list(std), 'interpolation': 'bicubic', 'crop_pct': 0.9}
    return {'architecture': architecture, 'num_classes': classes, 'model_args': args or {}, 'pretrained_cfg': cfg, **more}


front = lambda prefix: lambda name: prefix + name
ODD, WIDE = (0.1, 0.7, 0.4), (0.9, 0.3, 0.55)

with torch.no_grad():
    case('vit-12-heads', Vit(heads=12), timm('vit_odd', 7, args={'num_heads': 12, 'embed_dim': 24, 'depth': 1}))
    case('vit-3-heads', Vit(heads=3), timm('vit_odd', 7, ODD, WIDE, args={'num_heads': 3},
         label_names=['ant', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu']), ODD, WIDE)
    case('vit-fc-norm', Vit(heads=2, pool='avg', act='relu'), timm('vit_odd', 7, global_pool='avg',
         args={'num_heads': 2, 'act_layer': 'relu'}))
    case('vit-mean', Vit(heads=4, pool='avg', fc_norm=False), timm('vit_odd', 7, global_pool='avg', args={'num_heads': 4}))
    case('vit-no-class-token', Vit(heads=8, cls=False, pool='avg', fc_norm=False, bias=False),
         timm('vit_odd', 7, global_pool='avg', args={'num_heads': 8}))
    case('vit-positions-of-patches', Vit(heads=6, embed_class=False, act='silu', eps=1e-3),
         timm('vit_odd', 7, args={'num_heads': 6, 'act_layer': 'silu', 'norm_eps': 1e-3}))
    case('vit-not-square', Vit(size=(8, 24), heads=24), timm('vit_odd', 7, size=(8, 24), args={'num_heads': 24}), size=(8, 24))
    case('vit-module-bf16', Vit(heads=1, channels=1, size=(8, 8)), timm('vit_odd', 7, (0.3,), (0.2,), (8, 8), channels=1,
         args={'num_heads': 1}), (0.3,), (0.2,), (8, 8), 'BF16', front('module.'), channels=1)
    case('vit-backbone-f16', Vit(heads=6), timm('vit_odd', 7, args={'num_heads': 6}), dtype='F16',
         rename=lambda name: name if name.startswith('head') else 'backbone.' + name)
    case('vit-layer-scale', Vit(heads=6, scale=True), timm('vit_odd', 7, args={'num_heads': 6}))
    case('vit-alone', Vit(heads=6))
    case('hf-vit', HfVit(act='quick_gelu'), {
        'architectures': ['ViTForImageClassification'], 'model_type': 'vit', 'hidden_size': 24, 'num_hidden_layers': 1,
        'num_attention_heads': 6, 'intermediate_size': 30, 'hidden_act': 'quick_gelu', 'layer_norm_eps': 1e-12,
        'image_size': 16, 'patch_size': 4, 'num_channels': 3, 'qkv_bias': True,
        'id2label': {'0': 'rose', '1': 'tulip', '2': 'daisy', '3': 'lily', '4': 'iris'}}, ODD, WIDE, preprocessor={
        'do_normalize': True, 'do_rescale': True, 'do_resize': True, 'image_mean': ODD, 'image_std': WIDE,
        'rescale_factor': 1 / 255, 'resample': 2, 'size': {'height': 16, 'width': 16}})
    case('hf-vit-unscaled-f64', HfVit(heads=2, act='gelu_new', bias=False, eps=0.01), {
        'model_type': 'vit', 'hidden_size': 24, 'num_hidden_layers': 1, 'num_attention_heads': 2, 'intermediate_size': 30,
        'hidden_act': 'gelu_new', 'layer_norm_eps': 0.01, 'image_size': [16, 16], 'patch_size': [4, 4]}, (120., 110., 90.),
        (60., 50., 70.), scale=1, dtype='F64', rename=front('model.'), preprocessor={
        'do_rescale': False, 'image_mean': [120., 110., 90.], 'image_std': [60., 50., 70.], 'do_center_crop': True,
        'size': {'shortest_edge': 20}, 'crop_size': {'height': 16, 'width': 16}, 'resample': 3})
    case('hf-vit-bgr', HfVit(heads=3), {'model_type': 'vit', 'num_attention_heads': 3, 'hidden_act': 'gelu',
         'layer_norm_eps': 1e-12, 'image_size': 16}, ODD, WIDE, bgr=True, preprocessor={
         'image_mean': ODD, 'image_std': WIDE, 'do_flip_channel_order': True})
    mixer = lambda act, eps: lambda dim, tokens: MixerBlock(dim, tokens, 7, 20, act, eps)
    norm = lambda eps: lambda dim: nn.LayerNorm(dim, eps)
    case('mixer', Stack(mixer('gelu_tanh', 1e-6), 16, 12, 2, 4, 9, norm(1e-6)),
         timm('mixer_odd', 9, (0., 0., 0.), (1., 1., 1.), args={'act_layer': 'gelu_tanh'}), (0.,), (1.,))
    case('mixer-module-f16', Stack(mixer('gelu', 1e-5), 10, 12, 2, (4, 3), 9, norm(1e-5)),
         timm('mixer_odd', 9, ODD, WIDE, (8, 15), args={'norm_eps': 1e-5}), ODD, WIDE, (8, 15), 'F16', front('module.model.'))
    gated = lambda dim, tokens: GmlpBlock(dim, tokens, 28, 'gelu', 1e-6, 1e-5)
    case('gmlp', Stack(gated, 16, 12, 2, 4, 6, norm(1e-6)), timm('gmlp_odd', 6, ODD, WIDE), ODD, WIDE)
    gated = lambda dim, tokens: GmlpBlock(dim, tokens, 28, 'relu', 0.02, 0.03)
    case('gmlp-options', Stack(gated, 16, 12, 2, 4, 6, norm(0.02)), mean=(0.2,), std=(0.7,))
    case('gmlp-vision-lucidrains', VisionGmlp(), timm('gmlp_odd', 6, ODD, WIDE), ODD, WIDE)
    res = lambda act: lambda dim, tokens: ResBlock(dim, tokens, 20, act)
    case('resmlp-bf16', Stack(res('silu'), 16, 12, 2, 4, 6, Affine),
         timm('resmlp_odd', 6, ODD, WIDE, args={'act_layer': 'silu'}), ODD, WIDE, dtype='BF16', rename=front('net.'))
    deit = lambda name: ('module.' + name).replace('stem.', 'patch_embed.').replace('linear_tokens', 'attn').replace(
        'mlp_channels', 'mlp').replace('.ls', '.gamma_')
    case('resmlp-deit', Stack(res('gelu'), 16, 12, 2, 4, 6, Affine), timm('resmlp_odd', 6, ODD, WIDE), ODD, WIDE, rename=deit)
    case('repmlp-module', RepMlpNet((8, 12, 6), (1, 2, 1), ((8, 8), (4, 4), (2, 2)), (1, 4, 3), (5,), 3, 2),
         mean=(0.2,), std=(0.7,), rename=front('module.'))
    case('repmlp-folded', RepMlpNet((8, 12), (2, 1), ((4, 4), (2, 2)), (4, 3), folded=True), mean=(0.2,), std=(0.7,))
    case('repmlp-partitions', RepMlpNet((8, 12), (1, 1), ((4, 4), (2, 2)), (2, 12)), mean=(0.2,), std=(0.7,), size=(16, 48))
    bert = {'model_type': 'bert', 'hidden_size': 24, 'num_hidden_layers': 1, 'intermediate_size': 30, 'vocab_size': 30,
            'max_position_embeddings': 12, 'type_vocab_size': 2}
    case('bert-3-heads', HfBert(), {**bert, 'num_attention_heads': 3, 'hidden_act': 'gelu', 'layer_norm_eps': 1e-12})
    case('bert-8-heads-module-f16', HfBert(heads=8, act='gelu_new', eps=1e-3), {**bert, 'num_attention_heads': 8,
         'hidden_act': 'gelu_new', 'layer_norm_eps': 1e-3}, dtype='F16', rename=front('module.'))
