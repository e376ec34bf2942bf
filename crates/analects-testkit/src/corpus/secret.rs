//! Secrets of many kinds, made up anew for every corpus.

use super::mint::Mint;

/// How secrets are written, with the part in «…» that must not leak. Blanks: see `Random::fill`.
const KINDS: [&str; 44] = [
    "the AWS key is «AKIA{u16}»",
    "aws_secret_access_key = «{b40}»",
    "AWS_SESSION_TOKEN=«IQoJb3JpZ2lu{b200}==»",
    "maps key «AIza{w35}»",
    "OAuth client secret «GOCSPX-{w28}»",
    "curl -H 'Authorization: Bearer «ya29.{w120}»'",
    "AccountName=x;AccountKey=«{b86}==»;EndpointSuffix=core.windows.net",
    "阿里云 «LTAI5t{a18}» 用于 OSS",
    "push with «ghp_{a36}»",
    "fine-grained: «github_pat_{a22}_{a59}»",
    "git clone with «glpat-{w20}»",
    "//registry.npmjs.org/:_authToken=«npm_{a36}»",
    "twine upload -p «pypi-AgEIcHlwaS5vcmc{w150}»",
    "Claude runs on «sk-ant-api03-{w93}AA»",
    "OPENAI_API_KEY=«sk-proj-{w120}»",
    "huggingface-cli login --token «hf_{a34}»",
    "slack bot: «xoxb-{d12}-{d12}-{a24}»",
    "STRIPE_SECRET_KEY=«sk_live_{a24}»",
    "sendgrid: «SG.{w22}.{w43}»",
    "vault login «hvs.{w90}»",
    "doctl uses «dop_v1_{h64}»",
    "token: «eyJhbGciOiJIUzI1NiJ9.eyJ{w40}.{w43}»",
    "postgres://app:«{a18}»@db.internal:5432/main",
    "redis://:«{a20}»@cache.internal:6379/0",
    "https://deploy:«{a22}»@git.example.com/app.git",
    "password: «{a6}!{a6}#{d2}»",
    "DB_PASSWORD=«{a16}»",
    "密码：«{a8}@{a6}»",
    "数据库密码是 «{a4}{d2}{a4}#{a4}»",
    "mysql -u root -p«{a8}{d2}{a6}» main",
    "-----BEGIN PRIVATE KEY-----\n«{b64}»\n«{b64}»\n«{b32}=»\n-----END PRIVATE KEY-----",
    "Cookie: session=«{h48}»",
    "client_secret: «{a3}8Q~{w33}A»",
    "X-Api-Key: «{h40}»",
    "curl -u admin:«{a16}» https://api.internal/v1/jobs",
    "https://open.feishu.cn/open-apis/bot/v2/hook/«{uuid}»",
    "https://oapi.dingtalk.com/robot/send?access_token=«{h64}»",
    "sshpass -p «{a14}» ssh deploy@10.0.0.7",
    "Authorization: Basic «{a36}==»",
    "kubectl create secret generic db --from-literal=password=«{a20}»",
    "口令是«{a8}{d2}{a3}»，别外传",
    "SECRET_KEY_BASE=«{h64}»",
    "\"access_token\": \"«{w48}»\", \"expires_in\": 3600",
    "mongodb+srv://svc:«{a20}»@cluster0.example.net/prod",
];

/// How many kinds there are.
pub(super) const N_KINDS: usize = KINDS.len();

impl Mint {
    /// A secret of a kind, as somebody wrote it down: with the words or the syntax around it.
    pub(super) fn secret(&mut self, kind: usize) -> String {
        let filled = self.fill(KINDS[kind % N_KINDS]);
        let mut bodies = Vec::new();
        for part in filled.split('«').skip(1) {
            let (body, _) = part.split_once('»').unwrap();
            bodies.push(body.to_owned());
        }
        self.keep_secrets(&bodies);
        filled.replace(['«', '»'], "")
    }

    /// A secret as a command has it in front: `NAME=value`.
    pub(super) fn secret_assignment(&mut self) -> String {
        let (name, pattern) = *self.pick(&[
            &("DEPLOY_TOKEN", "{a32}"),
            &("GITHUB_TOKEN", "ghp_{a36}"),
            &("NPM_TOKEN", "npm_{a36}"),
            &("PGPASSWORD", "{a14}"),
            &("AWS_SECRET_ACCESS_KEY", "{b40}"),
            &("API_KEY", "sk-{a48}"),
            &("VAULT_TOKEN", "hvs.{w90}"),
            &("REGISTRY_PASSWORD", "{a8}!{a8}"),
        ]);
        let body = self.fill(pattern);
        self.keep_secrets(std::slice::from_ref(&body));
        if body.contains('!') {
            format!("{name}='{body}'")
        } else {
            format!("{name}={body}")
        }
    }

    /// A secret as a command has it among its arguments.
    pub(super) fn secret_argument(&mut self) -> String {
        let pattern = self.pick(&[
            "-H 'Authorization: Bearer «{a40}»'",
            "--token «glpat-{w20}»",
            "--password=«{a8}{d2}{a6}»",
            "--db postgres://app:«{a18}»@db.internal:5432/main",
            "--api-key «sk-proj-{w60}»",
        ]);
        let filled = self.fill(pattern);
        let body = filled.split(['«', '»']).nth(1).unwrap_or_default();
        self.keep_secrets(&[body.to_owned()]);
        filled.replace(['«', '»'], "")
    }
}
