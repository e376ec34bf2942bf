//! Chinese sentences with holes.

/// Values that the user tells.
pub(crate) const RECALL: [&str; 15] = [
    "测试环境的地址是{P:address}。",
    "我们{w}用的密钥叫{P:id}。",
    "{w}服务归{N}管，别名是{P:id}。",
    "{w}表最多放{P:count}行。",
    "大家口头说的{P:pair}其实就是{w}缓存。",
    "他们给的构建号是{P:version}，来自{w}那次。",
    "背后的开关是{P:id}。",
    "昨晚{w}跑到{P:count}就停了，没人知道为什么。",
    "线上的{w}名字叫{P:pair}。",
    "客户的租户：{P:id}。",
    "{N}在自己电脑上测出来是{P:measure}，当时{w}关着。",
    "{w}的桶是{P:id}，镜像在{Q:id}。",
    "{w}协议里有个神秘的{P:count}，是硬件带来的。",
    "{w}那边的对接人在{P:pair}组。",
    "跟{w}有关的工单都挂{P:pair}这个标签。",
];

/// Files that the user speaks of.
pub(crate) const ARTIFACT: [&str; 14] = [
    "我昨天把{w}那块挪到了 {P:path} 里。",
    "{P:path} 是生成的，由{w}那一步产出。",
    "+新的{w}代码放进 {P:path} 。",
    "老的{w}在 {P:path} ，可以去掉了。",
    "{N}上周因为{w}删了 {P:path} 。",
    "{w}的来龙去脉都写在 {P:path} 里。",
    "{w}的录制数据在 {P:path} ，手工做的。",
    "+给{w}建一个 {P:path} 。",
    "{P:path} 我自己动过了：{w}循环现在叫{Q:pair}。",
    "我说的就是 {P:path} ，一碰{w}就坏。",
    "{P:path} 有一半来自{w}，看完再评价。",
    "{w}的结构定义见 {P:path} 。",
    "周末有人把 {P:path} 回退了。",
    "{i} 的用例搬到 {P:path} 去了。",
];

/// What is done and what is open, as the user tells it.
pub(crate) const CONTINUATION: [&str; 14] = [
    "{P:pair}的迁移做完了，{w}的还没有。",
    "下一个轮到{P:id}。",
    "{P:pair}还在等{N}。",
    "计划第{n}步{P:pair}已经好了，后面是{Q:id}。",
    "这个弄通以后，{P:id}也照这样来一遍。",
    "{P:pair}只做了一半：{w}那边能编译，其余不行。",
    "{P:id}先留着，我明天回头再看。",
    "{w}之后做{P:pair}，然后发布。",
    "{w}的工单{P:id}卡住了，等{w}合进来。",
    "目前在{w}机器上能过的就一个{P:pair}。",
    "{P:id}今早合了，这一项划掉。",
    "还剩两件事：{P:pair}和{Q:id}。",
    "{P:pair}做到中间停了，{w}那半没碰。",
    "{N}周一接手{P:pair}。",
];

/// What was decided, wanted or corrected.
pub(crate) const DECISION: [&str; 16] = [
    "我们选了{P:id}没选{i}，因为{w}扛不住{Q:pair}。",
    "绝对不要在{w}线程里调{P:id}。",
    "这里别用{i}，必须是{P:id}。",
    "与其再来一个{w}，我宁可要{P:pair}。",
    "不对，{w}要的是{P:id}。",
    "{w}这块我和{N}说好了用{P:pair}。",
    "动{w}之前一律先跑{P:id}。",
    "就定{P:pair}吧，{w}的想法作废。",
    "当初离开{i}是因为{P:pair}。",
    "{P:path} 里的东西在评审前保持原样。",
    "以后消息里都带上{P:id}。",
    "{w}控制在{P:count}以下，超过了供应商会掐掉。",
    "还是改用{P:id}吧，不用{i}了。",
    "{i}在{w}上输给了{P:id}，出局。",
    "法务只批了{P:pair}，别的都没批。",
    "{w}太慢了，所以才有{P:pair}。",
];

/// Values that the model found.
pub(crate) const MODEL_RECALL: [&str; 4] = [
    "查下来{w}的上限是{P:count}。",
    "这个服务注册的名字是{P:id}。",
    "{w}启动时读的是{P:pair}。",
    "最慢的一次用了{P:measure}。",
];

/// Files that the model speaks of.
pub(crate) const MODEL_ARTIFACT: [&str; 4] = [
    "问题出在 {P:path} ：里面留着旧的{w}。",
    "{P:path} 我没有动，因为{w}引用了它。",
    "{P:path} 现在没有人用了。",
    "{w}的入口原来是 {P:path} 。",
];

/// What the model has done and will do.
pub(crate) const MODEL_CONTINUATION: [&str; 4] = [
    "{P:pair}到此完成，剩下的是{Q:id}。",
    "{P:id}还没有开始做。",
    "{P:pair}那一半好了，{w}那一半还是不过。",
    "现在缺的是{P:pair}。",
];

/// What the model decided.
pub(crate) const MODEL_DECISION: [&str; 4] = [
    "我用了{P:id}而不是{i}，否则{w}会卡住。",
    "根本原因是{P:pair}。",
    "{w}最后定为{P:pair}。",
    "走{P:id}这条路可以绕开{w}的锁。",
];

/// What stands before a fact without saying anything.
pub(crate) const LEADS: [&str; 11] = [
    "",
    "",
    "",
    "",
    "",
    "",
    "对了，",
    "还有一点，",
    "顺便说一句，",
    "嗯，",
    "既然说到这里，",
];

/// What a user says beside facts.
pub(crate) const IDLE_USER: [&str; 24] = [
    "再看一下 {f} 。",
    "{f} 里的{w}我总觉得怪怪的。",
    "继续",
    "好的，可以了。",
    "{i} 为什么需要{w}？",
    "能不能说说 {i} 拿{w}做什么？",
    "测试再跑一遍吧。",
    "{w}你随便挑一个就行。",
    "{w}我不太确定。",
    "给我看看 {f} 的改动。",
    "大概有{n}个{w}的用例特别慢。",
    "{i} 也一样处理。",
    "{w}能不能快一点？",
    "我觉得 {i} 现在这样挺好。",
    "{w}的输出不好读，不过算了。",
    "看看 {f} 里 {i} 是怎么做的。",
    "好多了。",
    "{i} 有点问题，{w}总是打印两次。",
    "{w}和{w}呢？",
    "请把 {f} 稍微整理一下。",
    "我这边还是不行，{w}跟之前一样。",
    "别的地方还有用到 {i} 吗？",
    "行，就这么办。",
    "我试了，{w}会闪一下。",
];

/// What a model says beside facts.
pub(crate) const IDLE_MODEL: [&str; 16] = [
    "我先看 {f} 。",
    "现在运行测试。",
    "{w}在 {i} 里构造，然后交给{w}。",
    "我查一下 {i} 的用法。",
    "{f} 先读{w}再写{w}。",
    "这和 {i} 里看到的一致。",
    "{f} 的改动很小：{w}现在经过 {i} 。",
    "检查都通过了。",
    "我相应地调整 {i} 。",
    "{w}这条路径有测试覆盖。",
    "这是顺序问题：{i} 运行时{w}还不存在。",
    "接下来看 {f} 。",
    "不出所料，此时{w}是空的。",
    "{i} 的签名没有变，调用方不受影响。",
    "{i} 有{n}处调用，都不在{w}层。",
    "现在又能编译了。",
];

/// Values that commands print.
pub(crate) const PRINTED: [&str; 4] = [
    "当前{w}：{P:version}",
    "{w}编号 {P:id}",
    "已选择{P:pair}。",
    "合计{w} {P:count}",
];

/// What programs complain about; what stands behind the bar is the fact.
pub(crate) const ERRORS: [&str; 4] = [
    "错误：|找不到{P:pair}",
    "编译失败：|{w}没有成员{P:pair}",
    "异常：|{P:id}未初始化",
    "致命错误：|等待{P:pair}超时",
];

/// Steps of a plan.
pub(crate) const STEPS: [&str; 3] = ["完成{P:pair}", "把{i}迁到{P:id}", "{w}的{P:pair}"];

/// What commits say.
pub(crate) const COMMITS: [&str; 3] = [
    "{w}改用{P:id}，不再用{i}",
    "{w}定为{P:pair}",
    "用{P:pair}代替{w}",
];

/// Everything above, with all the characters that a made-up word must not have.
pub(crate) fn all() -> impl Iterator<Item = &'static str> {
    let lists: [&[&str]; 15] = [
        &RECALL,
        &ARTIFACT,
        &CONTINUATION,
        &DECISION,
        &MODEL_RECALL,
        &MODEL_ARTIFACT,
        &MODEL_CONTINUATION,
        &MODEL_DECISION,
        &LEADS,
        &IDLE_USER,
        &IDLE_MODEL,
        &PRINTED,
        &ERRORS,
        &STEPS,
        &COMMITS,
    ];
    lists.into_iter().flatten().copied()
}
