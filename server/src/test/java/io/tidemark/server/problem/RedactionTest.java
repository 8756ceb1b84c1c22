// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.problem;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RedactionTest {

  private static final JsonMapper JSON = new JsonMapper();

  private static JsonNode json(String text) throws JsonProcessingException {
    return JSON.readTree(text.replace('\'', '"'));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'password':'hunter2'}",
        "{'db':{'Passwd':'hunter2'}}",
        "{'list':[{'clientSecret':'hunter2'}]}",
        "{'aws_secret_access_key':'hunter2'}",
        "{'AWS-ACCESS-KEY':'hunter2'}",
        "{'apiKey':'hunter2'}",
        "{'api_keys':['hunter2','hunter2']}",
        "{'key':'hunter2'}",
        "{'private-key':{'pem':'hunter2'}}",
        "{'authToken':'hunter2'}",
        "{'Authorization':'hunter2'}",
        "{'headers':['Authorization: Bearer hunter2hunter2']}",
        "{'credentials':{'user':'me','x':'hunter2'}}",
        "{'pin':1,'passphrase':'hunter2'}",
        "{'url':'https://me:hunter2@host/path'}",
        "{'url':'https://me:hun@ter2hunter2@host/path'}",
        "{'url':'https://:hunter2@host'}",
        "{'jdbc':'jdbc:postgresql://host/db?user=me&password=hunter2'}",
        "{'jdbc':'jdbc:sqlserver://host;user=me;password=hunter2;encrypt=true'}",
        "{'jdbc':'jdbc:oracle:thin:@host?PASSWORD=hunter2'}",
        "{'conn':'host=h dbname=d user=me password=hunter2'}",
        "{'conn':'host=h password = \\\\\\'hunter2 hunter2\\\\\\''}",
        "{'conn':'DefaultEndpointsProtocol=https;AccountKey=hunter2==;x=y'}",
        "{'url':'s3://bucket/p?accessKey=a&secretKey=hunter2'}",
        "{'url':'https://h/x?sig=hunter2&token=hunter2'}",
        "{'text':'see https://me:hunter2@host and https://you:hunter2@host'}",
        "{'pem':'-----BEGIN RSA PRIVATE KEY-----\\nhunter2\\n-----END RSA PRIVATE KEY-----'}"
      })
  void secretsAreHidden(String text) throws JsonProcessingException {
    String quoted = text.replace("\\\\\\'", "\\u0027");
    JsonNode before = json(quoted);
    JsonNode copy = before.deepCopy();
    assertThat(Redaction.of(before).toString()).doesNotContain("hunter2").contains("[hidden]");
    assertThat(before).as("what is given stays").isEqualTo(copy);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'name':'acme','t':17,'list':[1,2.5,null,true]}",
        "{'keys':['id'],'primaryKey':'id','keyword':'x','monkey':'y'}",
        "{'url':'https://host:8080/path?limit=5&cursor=abc','mail':'me@host'}",
        "{'jdbc':'jdbc:postgresql://host/db?user=me&sslmode=require'}",
        "{'s3':'s3://bucket/prefix?region=eu','time':'12:30','a':'x=y'}",
        "{'password':'','secret':null,'tokenized':true}"
      })
  void whatIsNoSecretStays(String text) throws JsonProcessingException {
    assertThat(Redaction.of(json(text))).isEqualTo(json(text));
  }

  @Test
  void whatIsAroundASecretStays() throws JsonProcessingException {
    assertThat(
            Redaction.of(
                json("{'jdbc':'jdbc:postgresql://me:pw@h/db?user=me&password=pw&ssl=true'}")))
        .isEqualTo(
            json(
                "{'jdbc':'jdbc:postgresql://me:[hidden]@h/db?user=me&password=[hidden]&ssl=true'}"));
  }
}
