//! Conversations made from parts: those that hold the evidence, and many about the same things that do not.

use analects_session::stamp::Stamp;
use analects_session::transcript::{Agent, Head, Kind, Outcome, Role, ToolUse, Transcript, Turn};

/// Something that was said, and what is asked about it.
#[derive(Debug, Clone)]
pub(crate) struct Evidence {
    pub(crate) language: &'static str,
    pub(crate) prompt: &'static str,
    pub(crate) answer: &'static str,
    pub(crate) questions: Vec<(&'static str, &'static str)>,
}

/// All evidence, in the order of its files.
pub(crate) fn evidence() -> Vec<Evidence> {
    let mut all: Vec<Evidence> = Vec::new();
    for (language, file) in [
        ("english", include_str!("english.txt")),
        ("chinese", include_str!("chinese.txt")),
        ("mixed", include_str!("mixed.txt")),
    ] {
        for line in file.lines() {
            let (mark, rest) = line.split_once(' ').unwrap_or_default();
            match (mark, all.last_mut()) {
                ("P", _) => all.push(Evidence {
                    language,
                    prompt: rest,
                    answer: "",
                    questions: Vec::new(),
                }),
                ("A", Some(last)) => last.answer = rest,
                ("Q", Some(last)) => last.questions.extend(rest.split_once(' ')),
                _ => {}
            }
        }
    }
    all
}

/// A generator of numbers that is the same everywhere.
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// Session number `no`. With evidence, its two turns stand somewhere inside; the answer says where.
pub(crate) fn session(no: usize, evidence: Option<&Evidence>) -> (Transcript, usize) {
    let mut dice = Dice::new(no as u64 + 1);
    let is_chinese = match evidence {
        Some(evidence) => evidence.language == "chinese",
        None => dice.below(3) == 0,
    };
    let n_pairs = 2 + dice.below(5);
    let at = dice.below(n_pairs + 1);
    let start_ms = 1_740_000_000_000 + dice.below(500) as u64 * 86_400_000;
    let mut turns = Vec::new();
    for pair in 0..=n_pairs {
        let (prompt, answer) = match evidence {
            Some(evidence) if pair == at => {
                (evidence.prompt.to_owned(), evidence.answer.to_owned())
            }
            _ if is_chinese => (
                fill(&mut dice, CHINESE_PROMPTS),
                fill(&mut dice, CHINESE_ANSWERS),
            ),
            _ => (fill(&mut dice, PROMPTS), fill(&mut dice, ANSWERS)),
        };
        for (role, text) in [(Role::User, prompt), (Role::Model, answer)] {
            let n = turns.len();
            turns.push(Turn {
                id: format!("{no}-{n}"),
                at: Stamp::from_ms(start_ms + n as u64 * 60_000),
                role,
                text,
                tools: if role == Role::Model {
                    tools(&mut dice)
                } else {
                    Vec::new()
                },
                span: n * 100..n * 100 + 99,
            });
        }
    }
    let head = Head {
        agent: dice.pick(&Agent::ALL),
        id: format!("session-{no}"),
        title: None,
        cwd: Some(format!(
            "/home/me/{}",
            dice.pick(&["shop", "api", "web", "tools"])
        )),
        branch: None,
        started: Stamp::from_ms(start_ms),
        updated: turns.last().and_then(|turn: &Turn| turn.at),
        kind: Kind::Main,
    };
    (Transcript { head, turns }, 2 * at)
}

fn tools(dice: &mut Dice) -> Vec<ToolUse> {
    (0..dice.below(3))
        .map(|_| {
            let path = fill(
                dice,
                &[
                    "src/{part}/{verb}_{thing}.rs",
                    "lib/{thing}/{part}.ts",
                    "app/{part}_{thing}.py",
                ],
            );
            let path = path.replace(' ', "_");
            ToolUse {
                name: dice
                    .pick(&["run_shell_command", "read_file", "replace", "Bash", "Edit"])
                    .to_owned(),
                input: fill(
                    dice,
                    &[
                        "cargo test {thing}",
                        "npm run build -- --{part}",
                        "grep -rn {thing} src",
                        "git log --oneline -- {part}",
                    ],
                ),
                output: fill(
                    dice,
                    &[
                        "ok. 14 passed",
                        "error: {thing} not found in {part}",
                        "warning: unused {thing}",
                        "{number} files changed",
                        "Traceback: {part} {symptom}",
                    ],
                ),
                outcome: Outcome::Succeeded,
                paths: vec![format!("/home/me/shop/{path}")],
            }
        })
        .collect()
}

/// A template with its gaps filled.
fn fill(dice: &mut Dice, templates: &[&str]) -> String {
    let template = dice.pick(templates);
    let mut text = String::new();
    for (n, part) in template.split(['{', '}']).enumerate() {
        if n % 2 == 0 {
            text.push_str(part);
            continue;
        }
        let word = match part {
            "part" => dice.pick(PARTS),
            "thing" => dice.pick(THINGS),
            "symptom" => dice.pick(SYMPTOMS),
            "when" => dice.pick(WHENS),
            "verb" => dice.pick(VERBS),
            "tool" => dice.pick(TOOLS),
            "部" => dice.pick(C_PARTS),
            "物" => dice.pick(C_THINGS),
            "症" => dice.pick(C_SYMPTOMS),
            "时" => dice.pick(C_WHENS),
            "动" => dice.pick(C_VERBS),
            _ => dice.pick(&["3", "12", "40", "200", "512", "1000"]),
        };
        text.push_str(word);
    }
    text
}

const PROMPTS: &[&str] = &[
    "The {part} {symptom} {when}.",
    "Can you {verb} the {thing} in the {part}?",
    "Why does the {part} {symptom}? I only changed the {thing}.",
    "Please {verb} {thing} and {thing} so that {tool} stops complaining.",
    "We should {verb} the {part} before the release. What about the {thing}?",
    "{tool} says something about the {thing} {when}, have a look.",
    "How do I {verb} a {thing} with {tool}?",
    "Write a test for the {thing} of the {part}.",
    "The {thing} is wrong {when}, and the {part} {symptom} as well.",
    "Is there a better way to {verb} the {thing}? The current one {symptom}.",
];

const ANSWERS: &[&str] = &[
    "I looked at the {part}: the {thing} was never initialised, so it {symptom}. Fixed.",
    "Done. The {part} now uses {tool} to {verb} the {thing}.",
    "The cause was the {thing}; it {symptom} {when}. I changed {number} lines in the {part}.",
    "I would not {verb} the {thing} there. Better keep it in the {part} and let {tool} handle it.",
    "Added {number} tests for the {thing}. All pass {when}.",
    "There are two ways: {verb} the {thing}, or move it to the {part}. I did the first.",
    "{tool} reports {number} problems in the {part}, all about the {thing}.",
    "The {part} waits for the {thing} for {number} ms, therefore it {symptom}.",
    "I reverted the change to the {thing}, because the {part} {symptom} {when}.",
];

const PARTS: &[&str] = &[
    "login page",
    "checkout",
    "worker",
    "scheduler",
    "parser",
    "importer",
    "export job",
    "admin panel",
    "settings screen",
    "sidebar",
    "search endpoint",
    "payment service",
    "mail sender",
    "cache layer",
    "connection pool",
    "message queue",
    "build script",
    "pipeline",
    "test suite",
    "database",
    "migration",
    "container",
    "proxy",
    "gateway",
    "mobile app",
    "browser extension",
    "report generator",
    "dashboard",
    "log collector",
    "image resizer",
    "upload form",
    "file watcher",
    "plugin loader",
    "command line",
    "editor",
    "renderer",
    "chat bot",
    "model server",
    "training loop",
    "tokenizer",
    "index",
    "backup tool",
    "installer",
    "updater",
    "notification service",
    "calendar",
    "invoice module",
    "cart",
    "user profile",
    "permission check",
    "session store",
    "rate limiter",
    "webhook handler",
    "video player",
    "audio engine",
];

const THINGS: &[&str] = &[
    "timeout",
    "token",
    "cookie",
    "header",
    "query",
    "index",
    "column",
    "transaction",
    "lock",
    "thread",
    "buffer",
    "stream",
    "callback",
    "event",
    "listener",
    "promise",
    "cache key",
    "config value",
    "flag",
    "environment variable",
    "certificate",
    "password hash",
    "signature",
    "link",
    "path",
    "file name",
    "directory",
    "symlink",
    "encoding",
    "font",
    "icon",
    "color",
    "margin",
    "layout",
    "menu",
    "button",
    "dialog",
    "tooltip",
    "scroll position",
    "date",
    "time zone",
    "currency",
    "price",
    "total",
    "counter",
    "id",
    "version number",
    "dependency",
    "lock file",
    "image tag",
    "secret",
    "port",
    "host name",
    "retry",
    "backoff",
    "batch size",
    "page size",
    "cursor",
    "sort order",
    "regular expression",
    "comma",
    "separator",
    "type annotation",
    "lifetime",
    "trait bound",
    "null check",
    "default value",
    "exit code",
    "log level",
    "stack trace",
    "metric",
    "label",
    "threshold",
    "embedding",
    "prompt",
    "checkpoint",
    "learning rate",
];

const SYMPTOMS: &[&str] = &[
    "crashes",
    "hangs",
    "is slow",
    "fails",
    "returns nothing",
    "returns the wrong value",
    "times out",
    "leaks memory",
    "loses data",
    "shows an old value",
    "prints garbage",
    "restarts",
    "blocks everything",
    "throws an exception",
    "ignores the setting",
    "runs twice",
    "never finishes",
    "uses too much CPU",
    "flickers",
    "is cut off",
    "drops the connection",
    "returns 500",
    "returns 404",
    "asks again",
];

const WHENS: &[&str] = &[
    "after the update",
    "under load",
    "in production",
    "on staging",
    "on Windows",
    "in CI",
    "at night",
    "when the file is large",
    "when the list is empty",
    "on the first run",
    "after a restart",
    "sometimes",
    "since Monday",
    "with two users",
    "on mobile",
    "behind the proxy",
    "in the release build",
    "locally",
];

const VERBS: &[&str] = &[
    "fix",
    "rename",
    "remove",
    "add",
    "move",
    "refactor",
    "test",
    "document",
    "cache",
    "validate",
    "parse",
    "encrypt",
    "compress",
    "sort",
    "filter",
    "log",
    "measure",
    "mock",
    "split",
    "merge",
    "replace",
    "retry",
    "limit",
    "disable",
    "enable",
    "update",
    "export",
    "import",
    "format",
    "translate",
];

const TOOLS: &[&str] = &[
    "clippy",
    "eslint",
    "pytest",
    "vitest",
    "docker",
    "terraform",
    "webpack",
    "vite",
    "cargo",
    "npm",
    "git",
    "postgres",
    "redis",
    "nginx",
    "kafka",
    "grafana",
    "prisma",
    "playwright",
    "TypeScript",
    "mypy",
    "make",
];

const CHINESE_PROMPTS: &[&str] = &[
    "{部}{时}会{症}。",
    "能不能{动}一下{部}的{物}？",
    "为什么{部}{症}？我只改了{物}。",
    "请{动}{物}和{物}，不然 {tool} 会报警。",
    "发版之前要不要{动}{部}？{物}怎么处理？",
    "{tool} {时}提示{物}有问题，看一下。",
    "给{部}的{物}写一个测试。",
    "{物}{时}不对，而且{部}也{症}。",
];

const CHINESE_ANSWERS: &[&str] = &[
    "看了{部}，{物}没有初始化，所以{症}，已经改好。",
    "完成了，{部}现在用 {tool} 来{动}{物}。",
    "原因是{物}，{时}它会{症}。我改了 {number} 行。",
    "不建议在那里{动}{物}，放在{部}里更好。",
    "给{物}加了 {number} 个测试，{时}全部通过。",
    "有两种办法：{动}{物}，或者放到{部}。我用了第一种。",
    "{部}要等{物} {number} 毫秒，所以{症}。",
];

const C_PARTS: &[&str] = &[
    "登录页",
    "结账页",
    "后台进程",
    "调度器",
    "解析器",
    "导入模块",
    "导出任务",
    "管理后台",
    "设置页",
    "侧边栏",
    "搜索接口",
    "支付服务",
    "邮件服务",
    "缓存层",
    "连接池",
    "消息队列",
    "构建脚本",
    "流水线",
    "测试套件",
    "数据库",
    "数据迁移",
    "镜像",
    "代理",
    "网关",
    "手机端",
    "报表",
    "监控面板",
    "日志收集",
    "上传表单",
    "插件",
    "命令行",
    "编辑器",
    "渲染器",
    "聊天机器人",
    "模型服务",
    "训练循环",
    "分词器",
    "索引",
    "备份工具",
    "通知服务",
    "日历",
    "发票模块",
    "购物车",
    "用户资料",
    "权限检查",
    "会话存储",
    "限流器",
    "回调处理",
    "播放器",
];

const C_THINGS: &[&str] = &[
    "超时时间",
    "令牌",
    "请求头",
    "查询语句",
    "索引",
    "字段",
    "事务",
    "锁",
    "线程",
    "缓冲区",
    "回调",
    "事件",
    "缓存键",
    "配置项",
    "开关",
    "环境变量",
    "证书",
    "密码",
    "签名",
    "链接",
    "路径",
    "文件名",
    "目录",
    "编码",
    "字体",
    "图标",
    "颜色",
    "布局",
    "菜单",
    "按钮",
    "弹窗",
    "滚动位置",
    "日期",
    "时区",
    "币种",
    "价格",
    "总数",
    "计数器",
    "编号",
    "版本号",
    "依赖",
    "锁文件",
    "密钥",
    "端口",
    "域名",
    "重试次数",
    "批量大小",
    "分页",
    "游标",
    "排序",
    "正则",
    "逗号",
    "类型",
    "空值",
    "默认值",
    "退出码",
    "日志级别",
    "堆栈",
    "指标",
    "阈值",
    "向量",
    "提示词",
];

const C_SYMPTOMS: &[&str] = &[
    "崩溃",
    "卡住",
    "很慢",
    "失败",
    "没有返回",
    "返回错误的值",
    "超时",
    "内存泄漏",
    "丢数据",
    "显示旧的值",
    "乱码",
    "重启",
    "阻塞",
    "抛异常",
    "忽略设置",
    "执行两次",
    "一直不结束",
    "占用过高",
    "闪烁",
    "被截断",
    "断开连接",
];

const C_WHENS: &[&str] = &[
    "升级之后",
    "高并发时",
    "在线上",
    "在预发环境",
    "在流水线里",
    "夜里",
    "文件很大的时候",
    "列表为空的时候",
    "第一次运行",
    "重启以后",
    "偶尔",
    "从周一开始",
    "两个用户同时操作时",
    "在手机上",
    "经过代理时",
    "本地",
];

const C_VERBS: &[&str] = &[
    "修复",
    "重命名",
    "删除",
    "增加",
    "移动",
    "重构",
    "测试",
    "缓存",
    "校验",
    "解析",
    "加密",
    "压缩",
    "排序",
    "过滤",
    "拆分",
    "合并",
    "替换",
    "限制",
    "禁用",
    "启用",
    "更新",
    "导出",
    "导入",
    "翻译",
];
