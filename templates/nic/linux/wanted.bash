wanted() {
{% for group in settings %}
  settings
{% for item in group.wants %}
  want {{ item.key }} {{ item.value }}{% if item.remark %}  # {{ item.remark }}{% endif %}

{% endfor %}
{% for port in group.ports %}
  port {{ port.name }} {{ port.rdma_device }}
{% endfor %}
{% if not loop.last %}

{% endif %}
{% endfor %}
}
