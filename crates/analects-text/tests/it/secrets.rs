//! What must be found: every kind of secret, in English and Chinese sentences.

use analects_text::redact::{mask, scan};

use crate::made_up::{Random, fill};

/// How often each kind is made up anew: a rule must not depend on luck.
const N_ROUNDS: u64 = 25;

/// Rule, sentence, secret. `¤` in the sentence is the secret; without a `«»` part all of it counts.
const KINDS: &[(&str, &str, &str)] = &[
    (
        "aws-access-key-id",
        "Deploy with ¤ in us-east-1.",
        "AKIA{u16}",
    ),
    ("aws-access-key-id", "临时凭证 ¤ 已过期", "ASIA{u16}"),
    (
        "aws-secret-access-key",
        "aws_secret_access_key = ¤",
        "{b40}",
    ),
    (
        "aws-secret-access-key",
        "The AWS secret for the backup bucket: ¤.",
        "{b40}",
    ),
    (
        "aws-session-token",
        "export AWS_SESSION_TOKEN=¤",
        "IQoJb3JpZ2lu{b200}==",
    ),
    ("aws-mws-token", "MWS uses ¤ now", "amzn.mws.{uuid}"),
    ("aws-bedrock-api-key", "Bedrock: ¤", "ABSK{b110}="),
    (
        "gcp-api-key",
        "Maps runs on ¤, see the console.",
        "AIza{w35}",
    ),
    ("gcp-api-key", "Gemini 的密钥是 ¤。", "AIzaSy{w33}"),
    (
        "gemini-api-key",
        "set GEMINI_API_KEY to ¤",
        "AQ.Ab8RN6{w40}",
    ),
    (
        "gcp-oauth-client-secret",
        "OAuth client secret ¤ for the web app",
        "GOCSPX-{w28}",
    ),
    (
        "gcp-access-token",
        "curl -H 'Authorization: Bearer ¤'",
        "ya29.{w120}",
    ),
    ("gcp-refresh-token", "refresh with ¤", "1//0g{w60}"),
    (
        "gcp-service-account-key",
        "{\"private_key_id\": \"x\", \"private_key\": \"¤\"}",
        "-----BEGIN PRIVATE KEY-----\\n{b64}\\n{b64}\\n{b20}=\\n-----END PRIVATE KEY-----\\n",
    ),
    ("firebase-server-key", "FCM: ¤", "AAAA{w7}:APA91b{w134}"),
    (
        "azure-storage-key",
        "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=¤;EndpointSuffix=core.windows.net",
        "{b86}==",
    ),
    (
        "azure-shared-access-key",
        "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=¤",
        "{b43}=",
    ),
    (
        "azure-sas-signature",
        "https://x.blob.core.windows.net/c?sv=2022-11-02&se=2026-01-01&¤",
        "sig=«{a40}%2B{a3}%3D»",
    ),
    (
        "azure-client-secret",
        "The app registration uses ¤ until May.",
        "{a3}8Q~{w33}A",
    ),
    ("azure-devops-token", "ADO: ¤", "{a76}AZDO{a4}"),
    ("alibaba-access-key-id", "阿里云 ¤ 用于 OSS", "LTAI5t{a18}"),
    ("tencent-secret-id", "腾讯云 SecretId ¤", "AKID{a32}"),
    ("digitalocean-token", "doctl uses ¤", "dop_v1_{h64}"),
    ("heroku-api-key", "The Heroku API key is ¤.", "{uuid}"),
    ("heroku-api-key", "heroku auth: ¤", "HRKU-AA{w58}"),
    ("cloudflare-api-token", "Cloudflare API token: ¤", "{w40}"),
    ("cloudflare-api-token", "CLOUDFLARE_API_KEY=¤", "{h37}"),
    ("fastly-api-token", "FASTLY_API_TOKEN=¤", "{w32}"),
    ("vercel-token", "Vercel token is ¤ (team scope)", "{a24}"),
    ("vercel-token", "deploy with ¤", "vcp_{a56}"),
    ("netlify-token", "netlify: ¤", "nfp_{a36}"),
    ("fly-token", "FLY_API_TOKEN=\"FlyV1 ¤\"", "fm2_{b180}"),
    ("render-api-key", "Render: ¤", "rnd_{a28}"),
    ("supabase-key", "supabase login --token ¤", "sbp_{h40}"),
    ("supabase-key", "后端用 ¤", "sb_secret_{w31}"),
    (
        "planetscale-token",
        "pscale service token ¤",
        "pscale_tkn_{w43}",
    ),
    ("neon-secret", "neon: ¤", "napi_{l64}"),
    ("pulumi-token", "PULUMI_ACCESS_TOKEN ¤", "pul-{h40}"),
    (
        "terraform-cloud-token",
        "credentials app.terraform.io ¤",
        "{a14}.atlasv1.{w67}",
    ),
    ("vault-token", "vault login ¤", "hvs.{w90}"),
    ("vault-token", "old vault token: ¤", "s.{a24}"),
    (
        "databricks-token",
        "databricks configure with ¤",
        "dapi{h32}",
    ),
    ("doppler-token", "doppler uses ¤", "dp.pt.{a43}"),
    ("doppler-token", "CI has ¤", "dp.st.prd.{a43}"),
    (
        "tailscale-key",
        "tailscale up --authkey ¤",
        "tskey-auth-{a12}-{a32}",
    ),
    (
        "ngrok-token",
        "ngrok config add-authtoken ¤",
        "2{a26}_{a21}",
    ),
    ("onepassword-token", "op: ¤", "ops_eyJ{w300}"),
    (
        "github-pat",
        "Push with ¤ as long as the bot is down.",
        "ghp_{a36}",
    ),
    ("github-pat", "我的 GitHub 令牌是¤，请保密", "ghp_{a36}"),
    (
        "github-fine-grained-pat",
        "fine-grained: ¤",
        "github_pat_{a22}_{a59}",
    ),
    ("github-oauth", "gh auth status shows ¤", "gho_{a36}"),
    ("github-app-token", "the runner gets ¤", "ghs_{a36}"),
    ("github-app-token", "user-to-server ¤", "ghu_{a36}"),
    ("github-refresh-token", "refresh: ¤", "ghr_{a76}"),
    ("gitlab-token", "git clone with ¤ please", "glpat-{w20}"),
    ("gitlab-token", "runner 注册用 ¤", "glrt-{w20}"),
    ("gitlab-token", "new kind: ¤", "glpat-{w27}.01.{l9}"),
    ("bitbucket-token", "bitbucket ¤", "ATBB{a32}"),
    (
        "atlassian-token",
        "Jira accepts ¤ as password",
        "ATATT3xFfGF0{w170}={h8}",
    ),
    (
        "npm-token",
        "//registry.npmjs.org/:_authToken=¤",
        "npm_{a36}",
    ),
    (
        "pypi-token",
        "twine upload -p ¤",
        "pypi-AgEIcHlwaS5vcmc{w150}",
    ),
    ("rubygems-key", "gem push with ¤", "rubygems_{h48}"),
    ("crates-io-token", "cargo login ¤", "cio{a32}"),
    ("nuget-key", "nuget push -k ¤", "oy2{l43}"),
    (
        "docker-hub-token",
        "docker login -u x, then ¤",
        "dckr_pat_{w27}",
    ),
    (
        "docker-config-auth",
        "{\"auths\": {\"ghcr.io\": {\"auth\": \"¤\"}}}",
        "{a30}==",
    ),
    ("artifactory-key", "jfrog: ¤", "AKCp{a69}"),
    ("circleci-token", "circleci setup ¤", "CCIPAT_{a22}_{h40}"),
    ("buildkite-token", "buildkite ¤", "bkua_{h40}"),
    ("sonarqube-token", "sonar.login=¤", "sqp_{h40}"),
    ("ci-service-uuid", "Codecov token: ¤", "{uuid}"),
    (
        "anthropic-api-key",
        "Claude runs on ¤.",
        "sk-ant-api03-{w93}AA",
    ),
    ("openrouter-api-key", "via OpenRouter: ¤", "sk-or-v1-{h64}"),
    ("openai-api-key", "OPENAI_API_KEY=¤", "sk-proj-{w120}"),
    ("openai-api-key", "我们用 ¤ 调用模型", "sk-{a48}"),
    ("openai-api-key", "DeepSeek 的 key：¤", "sk-{h32}"),
    ("openai-api-key", "service account ¤", "sk-svcacct-{w100}"),
    (
        "huggingface-token",
        "huggingface-cli login --token ¤",
        "hf_{t34}",
    ),
    ("replicate-token", "replicate ¤", "r8_{a37}"),
    ("groq-api-key", "groq: ¤", "gsk_{a52}"),
    ("perplexity-api-key", "perplexity ¤", "pplx-{a48}"),
    ("xai-api-key", "grok ¤", "xai-{a80}"),
    ("nvidia-api-key", "NIM ¤", "nvapi-{w64}"),
    ("langsmith-api-key", "tracing: ¤", "lsv2_pt_{h32}_{h10}"),
    ("pinecone-api-key", "index with ¤", "pcsk_{a70}"),
    ("elevenlabs-api-key", "voice ¤", "sk_{h48}"),
    ("ai-tool-key", "search ¤", "tvly-{a32}"),
    ("zhipu-api-key", "智谱 ¤", "{h32}.{a16}"),
    ("wandb-api-key", "wandb login ¤", "{h40}"),
    (
        "slack-token",
        "The bot posts with ¤.",
        "xoxb-{d12}-{d13}-{a24}",
    ),
    ("slack-token", "用户令牌 ¤", "xoxp-{d12}-{d12}-{d12}-{h32}"),
    (
        "slack-app-token",
        "socket mode: ¤",
        "xapp-1-A{u10}-{d13}-{h64}",
    ),
    (
        "slack-webhook",
        "post to https://¤ on failure",
        "hooks.slack.com/services/«T{u10}/B{u10}/{a24}»",
    ),
    (
        "discord-webhook",
        "https://¤",
        "discord.com/api/webhooks/«{d18}/{w68}»",
    ),
    (
        "discord-bot-token",
        "the Discord bot logs in with ¤",
        "MT{a24}.G{a5}.{w38}",
    ),
    ("telegram-bot-token", "Telegram: ¤", "{d10}:AA{w33}"),
    (
        "telegram-bot-token",
        "curl https://api.telegram.org/bot¤/getMe",
        "{d10}:AA{w33}",
    ),
    (
        "dingtalk-webhook",
        "钉钉机器人 https://oapi.dingtalk.com/robot/send?access_token=¤",
        "{h64}",
    ),
    (
        "feishu-webhook",
        "飞书 https://open.feishu.cn/¤",
        "open-apis/bot/v2/hook/«{uuid}»",
    ),
    (
        "wecom-webhook",
        "企业微信 https://qyapi.weixin.qq.com/¤",
        "cgi-bin/webhook/send?key=«{uuid}»",
    ),
    ("sendgrid-api-key", "mail goes out with ¤", "SG.{w22}.{w43}"),
    ("mailgun-api-key", "mailgun ¤", "key-{h32}"),
    ("mailgun-api-key", "mailgun: ¤", "{h32}-{h8}-{h8}"),
    ("mailchimp-api-key", "newsletter ¤", "{h32}-us14"),
    ("brevo-api-key", "brevo ¤", "xkeysib-{h64}-{a16}"),
    ("resend-api-key", "resend ¤", "re_{a8}_{a24}"),
    ("twilio-key", "Twilio API key ¤", "SK{h32}"),
    ("twilio-auth-token", "Twilio auth token: ¤", "{h32}"),
    ("stripe-key", "charge with ¤ in production", "sk_live_{a24}"),
    ("stripe-key", "Stripe 测试密钥 ¤", "sk_test_{a99}"),
    ("stripe-key", "restricted: ¤", "rk_live_{a24}"),
    (
        "webhook-signing-secret",
        "stripe listen prints ¤",
        "whsec_{a32}",
    ),
    ("square-token", "square ¤", "sq0csp-{w43}"),
    ("square-token", "Square access: ¤", "EAAA{w60}"),
    ("shopify-token", "admin API: ¤", "shpat_{h32}"),
    (
        "paypal-braintree-token",
        "braintree ¤",
        "access_token$production${l16}${h32}",
    ),
    ("plaid-access-token", "plaid ¤", "access-production-{uuid}"),
    ("datadog-key", "Datadog API key: ¤", "{h32}"),
    ("datadog-key", "DD_APP_KEY 用 datadog 的 app key ¤", "{h40}"),
    ("new-relic-key", "new relic user key ¤", "NRAK-{u27}"),
    ("new-relic-key", "ingest ¤", "{h36}NRAL"),
    ("sentry-token", "sentry-cli login with ¤", "sntrys_{a120}"),
    (
        "sentry-dsn",
        "dsn: https://¤@o12345.ingest.sentry.io/67890",
        "{h32}",
    ),
    ("grafana-token", "grafana ¤", "glsa_{a32}_{h8}"),
    ("grafana-token", "cloud: ¤", "glc_{b80}="),
    ("dynatrace-token", "dynatrace ¤", "dt0c01.{u24}.{u64}"),
    ("linear-token", "linear ¤", "lin_api_{a40}"),
    ("notion-token", "notion integration ¤", "ntn_{a46}"),
    ("notion-token", "old notion ¤", "secret_{a43}"),
    ("asana-token", "asana ¤", "1/{d16}:{h32}"),
    ("trello-token", "trello ¤", "ATTA{h72}"),
    ("airtable-token", "airtable ¤", "pat{a14}.{h64}"),
    ("figma-token", "figma ¤", "figd_{w40}"),
    ("postman-api-key", "postman ¤", "PMAK-{h24}-{h34}"),
    ("okta-token", "Authorization: SSWS ¤", "00{w40}"),
    ("hubspot-token", "hubspot ¤", "pat-na1-{uuid}"),
    ("dropbox-token", "dropbox ¤", "sl.{w135}"),
    ("contentful-token", "contentful ¤", "CFPAT-{w43}"),
    ("mapbox-secret-token", "mapbox ¤", "sk.eyJ{w60}.{w22}"),
    ("algolia-admin-key", "Algolia admin API key: ¤", "{h32}"),
    ("facebook-token", "page token ¤", "EAAB{a170}"),
    ("twitter-bearer", "twitter ¤", "AAAAAAAAAAAAAAAAAAAAA{a80}"),
    (
        "private-key",
        "Here it is:\n¤\nthat was it",
        "-----BEGIN RSA PRIVATE KEY-----\n{b64}\n{b64}\n{b64}\n{b22}==\n-----END RSA PRIVATE KEY-----",
    ),
    (
        "private-key",
        "私钥：\n¤",
        "-----BEGIN OPENSSH PRIVATE KEY-----\n{b70}\n{b70}\n{b20}\n-----END OPENSSH PRIVATE KEY-----",
    ),
    (
        "private-key",
        "key='¤'",
        "-----BEGIN EC PRIVATE KEY-----\\n{b64}\\n{b40}==\\n-----END EC PRIVATE KEY-----",
    ),
    (
        "private-key",
        "¤",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n{b64}\n{b64}\n={b4}\n-----END PGP PRIVATE KEY BLOCK-----",
    ),
    (
        "private-key",
        "> ¤",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\n> {b64}\n> {b30}=\n> -----END ENCRYPTED PRIVATE KEY-----",
    ),
    (
        "private-key",
        "¤",
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{u32}\n\n{b64}\n{b30}=\n-----END RSA PRIVATE KEY-----",
    ),
    (
        "private-key",
        "cut off: ¤ …",
        "-----BEGIN PRIVATE KEY----- {b64}",
    ),
    ("age-secret-key", "sops: ¤", "AGE-SECRET-KEY-1{u58}"),
    ("wireguard-private-key", "PrivateKey = ¤", "{b43}="),
    (
        "jwt",
        "The session is ¤, valid for a day.",
        "eyJhbGciOiJIUzI1NiJ9.eyJ{w40}.{w43}",
    ),
    (
        "jwt",
        "Authorization: Bearer ¤",
        "eyJhbGciOiJSUzI1NiJ9.eyJ{w80}.{w300}",
    ),
    (
        "authorization-bearer",
        "curl -H \"Authorization: Bearer ¤\" https://api.internal/v1",
        "{a40}",
    ),
    (
        "authorization-bearer",
        "请求头 Authorization: token ¤",
        "{h40}",
    ),
    ("authorization-basic", "Authorization: Basic ¤", "{a30}=="),
    (
        "database-url",
        "DATABASE_URL=postgres://¤@db.internal:5432/app",
        "app:«{a14}»",
    ),
    (
        "database-url",
        "数据库连接 mysql://¤@10.0.0.3/shop",
        "root:«{a10}!»",
    ),
    (
        "database-url",
        "mongodb+srv://¤@cluster0.abcde.mongodb.net/",
        "svc:«{a16}»",
    ),
    ("database-url", "redis://¤@cache:6379/0", ":«{a20}»"),
    ("database-url", "amqp://¤@mq/", "worker:«p@{a8}»"),
    (
        "url-password",
        "git clone https://¤@git.corp.internal/x.git",
        "deploy:«{a18}»",
    ),
    ("url-password", "ftp://¤@files.corp.internal", "bob:«{a9}»"),
    (
        "url-key-parameter",
        "GET https://api.weather.internal/v2?key=¤&q=x",
        "{a32}",
    ),
    (
        "curl-user",
        "curl -u ¤ https://jenkins.internal",
        "bob:«{a12}»",
    ),
    (
        "command-line-password",
        "sshpass -p ¤ ssh root@10.0.0.1",
        "{a10}!",
    ),
    (
        "command-line-password",
        "mysql -h db -u root -p¤ shop",
        "{a12}7",
    ),
    (
        "netrc-password",
        "machine git.corp login bob password ¤",
        "{a14}",
    ),
    ("pgpass-line", "db.corp:5432:app:bob:¤", "{a14}"),
    (
        "google-app-password",
        "The Gmail app password is ¤",
        "qkzv {t0}wnbx hrtp lmcj",
    ),
    (
        "seed-phrase",
        "seed phrase: ¤.",
        "apple river stone cloud tiger maple ocean brick candle forest silver window",
    ),
    ("pin", "The PIN is ¤.", "8351"),
    ("credentials-pair", "Login: admin / ¤", "S3c{a8}!"),
    ("password", "my password is ¤", "hunter2!Xy7"),
    ("password", "the db password is ¤", "correct-horse-battery"),
    ("password", "密码是 ¤", "Tr0ub4dor&3"),
    ("password", "my password is ¤, do not tell", "hunter2"),
    ("password", "DB_PASSWORD=¤", "{a16}"),
    ("password", "password: \"¤\"", "Kx9{a9}"),
    ("password", "root 的口令为：¤。", "Zhong{d4}!guo"),
    (
        "password",
        "I changed the admin password to ¤ yesterday",
        "Winter{d4}!",
    ),
    ("password", "<password>¤</password>", "Kx9#{a9}"),
    ("password", "spring.datasource.password=¤", "Kx9{a9}"),
    ("password", "**Password:** `¤`", "Kx9{a9}!"),
    (
        "password",
        "Server=db;User Id=sa;Password=¤;Encrypt=true",
        "Kx9{a9}!",
    ),
    ("password", "Das Passwort ist ¤.", "Zürich!{d4}"),
    ("password", "{\\\"password\\\":\\\"¤\\\"}", "Kx9{a9}!"),
    ("password", "wifi 密码：¤", "8{d9}7"),
    ("password-beside", "用户名 admin，密码 ¤", "Abc@{d3}7Xk"),
    (
        "password-beside",
        "log in as admin with password ¤ on staging",
        "Kx9!{a7}",
    ),
    ("password-beside", "| Password | ¤ |", "Kx9!{a7}"),
    (
        "password-described",
        "The password for the staging database is ¤",
        "Kx9!{a7}",
    ),
    ("password-described", "数据库的密码已经改成 ¤", "Kx9!{a7}"),
    ("secret", "the API key is ¤", "{a32}"),
    ("secret", "client_secret: '¤'", "{a40}"),
    ("secret", "SECRET_KEY = \"¤\"", "{w50}"),
    ("secret", "export MY_SERVICE_TOKEN=¤", "{h40}"),
    ("secret", "X-API-Key: ¤", "{a36}"),
    ("secret", "访问密钥：¤", "{a30}"),
    ("secret", "{\"accessToken\":\"¤\",\"user\":1}", "{w64}"),
    ("secret", "const apiKey = '¤';", "{l32}"),
    ("secret", "AccessKeySecret: ¤", "{a30}"),
    ("secret", "APP_KEY=¤", "base64:{b43}="),
    ("secret-beside", "use token ¤ for the webhook", "{h40}"),
    (
        "secret-described",
        "The token for the nightly build is ¤",
        "{a32}",
    ),
];

#[test]
fn every_kind_of_secret_is_found_by_its_rule() {
    let mut missed = Vec::new();
    for (rule, sentence, pattern) in KINDS {
        for seed in 0..N_ROUNDS {
            let (text, secret) = embed(sentence, &fill(pattern, &mut Random(seed)));
            let found = scan(&text);
            let exact = |finding: &&analects_text::redact::Finding| {
                finding.rule == *rule && text.get(finding.range.clone()) == Some(&secret)
            };
            if found.len() != 1 || found.iter().find(exact).is_none() {
                let seen: Vec<_> = found
                    .iter()
                    .map(|finding| (finding.rule, text.get(finding.range.clone()).unwrap()))
                    .collect();
                missed.push(format!("{rule}: {text}\n    saw {seen:?}"));
                break;
            }
        }
    }
    assert!(
        missed.is_empty(),
        "{} missed:\n{}",
        missed.len(),
        missed.join("\n")
    );
}

#[test]
fn there_are_kinds_enough() {
    let rules: std::collections::BTreeSet<_> = KINDS.iter().map(|(rule, ..)| rule).collect();
    assert!(KINDS.len() >= 45 && rules.len() >= 30);
}

#[test]
fn a_secret_is_found_through_what_hides_it() {
    for disguise in [
        "\u{200B}",
        "\u{2060}",
        "\u{AD}",
        "**",
        "`",
        "\u{FEFF}\u{200D}",
    ] {
        let secret = fill("ghp_{a36}", &mut Random(7));
        let (head, tail) = secret.split_at_checked(11).unwrap();
        let text = format!("令牌 {disguise}{head}{disguise}{tail}{disguise} ok");
        let found = scan(&text);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(
            mask(&text, &found),
            format!("令牌 {disguise}[redacted: github-pat]{disguise} ok")
        );
    }
}

#[test]
fn two_secrets_in_a_line_are_two_findings() {
    let text = fill(
        "key AKIA{u16}, secret access key {b40}, password is hunter2!Xy7",
        &mut Random(1),
    );
    let masked = mask(&text, &scan(&text));
    assert_eq!(
        masked,
        "key [redacted: aws-access-key-id], secret access key [redacted: aws-secret-access-key], password is [redacted: password]"
    );
}

/// The sentence with the secret in it, and the part of it that must be found.
fn embed(sentence: &str, filled: &str) -> (String, String) {
    let secret = match filled.split_once('«') {
        Some((_, rest)) => rest.split_once('»').unwrap().0.to_owned(),
        None => filled.to_owned(),
    };
    (
        sentence.replace('¤', &filled.replace(['«', '»'], "")),
        secret,
    )
}
